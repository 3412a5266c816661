import { serveBlocking } from "../threads/serve-blocking.ts";
import { PlanFault } from "../plan-fault.ts";
import { WorkflowFault } from "../workflow-fault.ts";
import { recently } from "../store/recently.ts";
import type { FromConditionThread, SentValue, ToConditionThread } from "./condition-messages.ts";
import { mapValues } from "./condition-values.ts";
import { readCondition, type Condition } from "./condition.ts";
import { toCel } from "./to-cel.ts";

/** The program of the condition thread. It caches the latest conditions, so that a loop's condition is parsed once. */
const conditionOf = recently(200, (key): Condition => {
  const [expression = "", ...variables] = JSON.parse(key) as string[];
  const { condition, problems } = readCondition(expression, new Set(variables));
  if (condition === undefined) throw new WorkflowFault("condition_failed", problems.join("; "));
  return condition;
});

/** The values that were sent, converted for CEL. */
const known = new Map<number, unknown>();
const valueOf = (sent: SentValue): unknown => ("sent" in sent ? known.get(sent.sent) : sent.value);

function answer(asked: ToConditionThread): FromConditionThread | undefined {
  if (asked.type === "forget") {
    known.clear();
    return undefined;
  }
  const { expression, variables, values, added, characters } = asked;
  try {
    for (const [number, value] of added) known.set(number, toCel(value));
    const condition = conditionOf(JSON.stringify([expression, ...variables]));
    return { isTrue: condition.holds(mapValues(values, valueOf), characters) };
  } catch (error) {
    if (error instanceof PlanFault) return { exhausted: error.message };
    if (error instanceof WorkflowFault) return { fault: error.message };
    throw error;
  }
}

serveBlocking(answer);

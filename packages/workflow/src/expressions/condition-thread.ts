import { PlanFault, WorkflowFault } from "../mapping/scope.ts";
import { serveBlocking } from "../threads/blocking-thread.ts";
import { recently } from "../threads/recently.ts";
import { type FromConditionThread, mapValues, type SentValue, type ToConditionThread } from "./condition-values.ts";
import { type Condition, readCondition } from "./condition.ts";

/** Converts JSON for CEL. Objects become maps, so that no prototype member is reachable. */
function toCel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([name, member]) => [name, toCel(member)]));
}

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

function answer(request: ToConditionThread): FromConditionThread | undefined {
  if (request.type === "forget") {
    known.clear();
    return undefined;
  }
  const { expression, variables, values, added, characters } = request;
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

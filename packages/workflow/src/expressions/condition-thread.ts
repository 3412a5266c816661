import { parentPort } from "node:worker_threads";
import { PlanFault, WorkflowFault } from "../mapping/scope.ts";
import { recently } from "../within-time.ts";
import { type ConditionAnswer, mapValues, type SentValue, toCel, type ToConditionThread } from "./condition-values.ts";
import { type Condition, readCondition } from "./condition.ts";

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

function answer({ expression, variables, values, isFresh, added, characters }: ToConditionThread): ConditionAnswer {
  if (isFresh) known.clear();
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

parentPort?.on("message", (request: ToConditionThread) => parentPort?.postMessage({ answer: answer(request) }));

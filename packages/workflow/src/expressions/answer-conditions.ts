import { setImmediate as nextTurn } from "node:timers/promises";
import { PlanFault, WorkflowFault } from "../mapping/scope.ts";

/** A condition with the values that it reads. Throws a WorkflowFault or a PlanFault when it has no answer. */
export type EvaluateCondition = () => boolean;

/** Conditions of one event, by step and attempt. */
export type ConditionAsks = ReadonlyMap<string, EvaluateCondition>;
export type ConditionAnswer = boolean | WorkflowFault | PlanFault;
export type ConditionAnswers = Map<string, ConditionAnswer>;

export function conditionAnswer(evaluate: EvaluateCondition): ConditionAnswer {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof PlanFault || error instanceof WorkflowFault) return error;
    throw error;
  }
}

/** Returns whether the condition holds. Throws a WorkflowFault when it could not be evaluated, and a PlanFault when it takes too many steps. */
export function isTrue(answer: ConditionAnswer): boolean {
  if (typeof answer === "boolean") return answer;
  throw answer;
}

/** Timeout for all conditions of one event, milliseconds. */
const mostMs = 8_000;

let last: Promise<unknown> = Promise.resolve();

/** Evaluates a condition in a turn of the event loop that has no other, after those that were requested before. */
function inTurn(evaluate: EvaluateCondition): Promise<ConditionAnswer> {
  const answer = last.then(async () => {
    await nextTurn();
    return conditionAnswer(evaluate);
  });
  last = answer.catch(() => undefined);
  return answer;
}

/**
 * Evaluates conditions one after the other, and adds the answers. Each run waits for at most one condition, so that runs alternate. `usedMs`:
 * the time that earlier conditions of the event took. Returns the time after these.
 */
export async function answerConditions(
  asks: ConditionAsks,
  answers: ConditionAnswers,
  usedMs: number,
): Promise<number> {
  let total = usedMs;
  for (const [key, evaluate] of asks) {
    const startedAt = performance.now();
    const tooLong = new PlanFault(`Conditions took longer than ${String(mostMs)} ms together. Simplify them.`);
    answers.set(key, total > mostMs ? tooLong : await inTurn(evaluate));
    total += performance.now() - startedAt;
  }
  return total;
}

import { readCondition } from "../expressions/condition.ts";
import {
  type ConditionAnswer,
  type ConditionRequest,
  mapValues,
  mostCharacters,
  toCel,
} from "../expressions/condition-values.ts";
import { PlanFault, WorkflowFault } from "../mapping/scope.ts";
import { reduce } from "../run/reduce.ts";
import type { Reduction, RunEvent } from "../run/run-events.ts";
import type { RunPlan } from "../state/run-plan.ts";
import type { RunRecord } from "../state/run-record.ts";

/** Evaluates a condition on this thread. Throws like `isTrue`. */
export function evaluateNow({ expression, variables, values }: ConditionRequest): boolean {
  const { condition, problems } = readCondition(expression, new Set(variables));
  if (condition === undefined) throw new WorkflowFault("condition_failed", problems.join("; "));
  return condition.holds(mapValues(values, toCel), mostCharacters);
}

function answerNow(request: ConditionRequest): ConditionAnswer {
  try {
    return { isTrue: evaluateNow(request) };
  } catch (error) {
    if (error instanceof PlanFault) return { exhausted: error.message };
    if (error instanceof WorkflowFault) return { fault: error.message };
    throw error;
  }
}

/** Applies an event to a run as an engine does, with conditions evaluated on this thread. */
export function reduceNow(plan: RunPlan, run: RunRecord, event: RunEvent): Reduction {
  const answers = new Map<string, ConditionAnswer>();
  for (;;) {
    const asks = new Map<string, ConditionRequest>();
    const reduction = reduce(plan, run, { event, conditions: { answers, asks } });
    if (asks.size === 0 || reduction.fault !== undefined) return reduction;
    for (const [key, request] of asks) answers.set(key, answerNow(request));
  }
}

import { isStepType, type AgentStep, type WorkflowDefinition, type WorkflowStep } from "@crosszone/contracts";
import type { Expressions } from "../expressions/expressions.ts";
import { PlanFault } from "../mapping/workflow-fault.ts";
import type { RunRecord, StepRecord } from "./run-record.ts";

/** A run as known locally: its definition and its steps' records by path. */
export interface RunView {
  readonly definition: WorkflowDefinition;
  readonly limits: RunRecord["limits"];
  readonly steps: ReadonlyMap<string, StepRecord>;
}

export function viewOf(definition: WorkflowDefinition, run: RunRecord): RunView {
  return { definition, limits: run.limits, steps: run.steps };
}

/** The immutable part of a run: its definition and its input. */
export interface RunPlan {
  readonly definition: WorkflowDefinition;
  readonly input: unknown;
  /** Deterministic: a retry, or the next item of a loop, evaluates them again. */
  readonly expressions: Expressions;
}

/** Returns a step by its id. A step without a type is an agent step, as in the older format. */
export function stepOf(definition: WorkflowDefinition, id: string): WorkflowStep {
  const step = Object.hasOwn(definition.steps, id) ? definition.steps[id] : undefined;
  if (!step) throw new PlanFault(`The plan has no step "${id}".`);
  const typed: WorkflowStep = "type" in step ? step : { ...(step as AgentStep), type: "agent" };
  if (isStepType(typed.type)) return typed;
  throw new PlanFault(`The step "${id}" of the plan has an unknown type.`);
}

/** Returns the ids from `start` along `next_step`, to the end or up to `until`. */
export function chainFrom(
  definition: WorkflowDefinition,
  start: string | null | undefined,
  until?: string | null,
): readonly string[] {
  const ids = new Set<string>();
  for (let id = start; id && id !== until; id = stepOf(definition, id).next_step) {
    if (ids.has(id)) throw new PlanFault(`The steps of the plan form a cycle at "${id}".`);
    ids.add(id);
  }
  return [...ids];
}

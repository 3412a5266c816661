import { createHash } from "node:crypto";
import { type AgentStep, isStepType, type WorkflowDefinition, type WorkflowStep } from "@crosszone/contracts";
import type { Expressions } from "../expressions/expressions.ts";
import { PlanFault } from "../mapping/scope.ts";
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

/** A loop that contains a step, and the index of its item. */
interface LoopAround {
  /** The path of the loop. */
  readonly path: string;
  readonly index: number;
}

/** The bus's limit, characters. */
const longestTaskId = 255;

export function stepIdOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Returns the common prefix of the step and its siblings: empty, or the enclosing loops, as in `each[3].`. */
export function prefixOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}

/** Returns the prefix of the ids in a loop's body. */
export function itemPrefix(loopPath: string, index: number): string {
  return `${loopPath}[${String(index)}].`;
}

/** Returns the loops around a step, outermost first. */
export function loopsAround(path: string): readonly LoopAround[] {
  return [...path.matchAll(/\[(\d+)\]\./g)].map((match) => ({
    path: path.slice(0, match.index),
    index: Number(match[1]),
  }));
}

/**
 * Returns the task id of one attempt of a step. It is deterministic, so that a task which is sent twice runs once. An id that is too long
 * for the bus ends in its digest.
 */
export function taskIdOf(runId: string, path: string, attempt: number): string {
  const id = `${runId}.${path}.${String(attempt)}`;
  if (id.length <= longestTaskId) return id;
  const digest = createHash("sha256").update(id).digest("base64url");
  return `${id.slice(0, longestTaskId - digest.length - 1)}~${digest}`;
}

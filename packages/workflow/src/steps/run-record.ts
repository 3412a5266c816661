import { createHash, hash } from "node:crypto";
import {
  type AgentStep,
  isStepType,
  type RunProblem,
  type RunState,
  type StepState,
  type WorkflowDefinition,
  type WorkflowStep,
} from "@crosszone/contracts";
import type { Expressions } from "../expressions/condition.ts";
import { PlanFault } from "../mapping/scope.ts";

/** Returns the size of a JSON value when stored or sent, bytes. */
export function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/** The most bytes of JSON of an input or payload that the audit log keeps, which keeps them long. */
const mostAudited = 16_000;

/** Returns a JSON value as the audit log keeps it: a larger one as its size and its digest. */
export function auditedValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  if (text.length <= mostAudited) return value;
  return { bytes: Buffer.byteLength(text), sha256: hash("sha256", text) };
}

/** The limits of a run. Stored with the run, so that every executor applies the same ones. */
export interface RunLimits {
  /** Time from the start, or the last retry, to the deadline, milliseconds. Without it a lost result would keep a run open forever. */
  readonly deadline_ms: number;
  /** Default timeout of agent steps, milliseconds. */
  readonly step_timeout_ms: number;
  /** Maximum number of concurrent tasks of the run. */
  readonly max_running: number;
  /** Maximum total size of the run's input and of all inputs, outputs and errors of its steps, bytes of JSON. */
  readonly max_bytes: number;
  /** What it can have if it starts no other runs. Without it, as in runs of earlier builds, only its steps are limited. */
  readonly tree?: TreeCount;
}

/**
 * What a tree of runs has: a run, and the runs that its steps and theirs start. `waits`: for times, events and people, at a time; the others: in
 * all, with every retry. `paid_calls`: of language models.
 */
export interface TreeCount {
  readonly runs: number;
  readonly steps: number;
  readonly paid_calls: number;
  readonly waits: number;
}

/** The most that a tree may have. Nested loops and workflows that start each other could fill any memory, queue and bill. */
export const treeLimits: TreeCount = { runs: 1_000, steps: 20_000, paid_calls: 200, waits: 200 };

export const nothingTaken: TreeCount = { runs: 0, steps: 0, paid_calls: 0, waits: 0 };

export const addCounts = (one: TreeCount, other: TreeCount, by: 1 | -1 = 1): TreeCount => ({
  runs: one.runs + by * other.runs,
  steps: one.steps + by * other.steps,
  paid_calls: one.paid_calls + by * other.paid_calls,
  waits: one.waits + by * other.waits,
});

/** Whether what an event takes fits into a room. What is only given back always does. */
export const hasRoomFor = (room: TreeRoom, taken: TreeCount): boolean =>
  !(room.isOver === true && taken.steps > 0) &&
  (Object.keys(nothingTaken) as (keyof TreeCount)[]).every((name) => taken[name] <= Math.max(0, room[name]));

/** What a tree may still start. `isOver`: nothing, because a run around this one has ended. */
export interface TreeRoom extends TreeCount {
  readonly isOver?: boolean;
}

/**
 * One instance of a step. Its input is not stored, because it follows from earlier outputs. The output of a composite step is not stored
 * either: `outputOf` computes it.
 */
export interface StepRecord {
  /** Never `skipped`: a skipped step has no record. `pending` is a step that a retry will restart. */
  readonly state: Exclude<StepState, "skipped">;
  /** Starts at 1 and increases when a retry of the run restarts the step. */
  readonly attempt: number;
  readonly started_at?: number;
  readonly ended_at?: number;
  /** Next timer of a running step: its own timeout, or that of the next branch of a fork. */
  readonly due_at?: number;
  /** As in `Started`. */
  readonly is_moment?: boolean;
  /** An agent's answer, any JSON. */
  readonly output?: unknown;
  readonly error?: RunProblem;
  /** Number of calls to the agent. */
  readonly calls?: number;
  readonly is_true?: boolean;
  /** Number of items of a loop. */
  readonly count?: number;
  /** Names of the branches of a fork that timed out. */
  readonly timed_out?: readonly string[];
}

/**
 * The mutable part of a run; plain JSON except for the map of steps. Times are Unix milliseconds. The current position is not stored: it
 * follows from the plan and the steps' results.
 */
export interface RunRecord {
  readonly run_id: string;
  readonly state: RunState;
  readonly limits: RunLimits;
  /** Time of the latest event that changed it. Never goes back, whatever the clocks of executors say. */
  readonly updated_at: number;
  readonly started_at?: number;
  readonly ended_at?: number;
  readonly deadline_at?: number;
  /** When the run needs a `time_passed` event at the latest, or earlier; null if it has no timer. */
  readonly due_at: number | null;
  /** By path, unordered. A step that an event does not change stays the same object. */
  readonly steps: ReadonlyMap<string, StepRecord>;
  /** Tasks that agents are working on: task id to the path of its step. */
  readonly tasks: Readonly<Record<string, string>>;
  /** Total size of the run's input and of all inputs, outputs and errors of its steps in all attempts, bytes of JSON. */
  readonly bytes: number;
  readonly output?: unknown;
  readonly error?: RunProblem;
}

export function newRun(run: {
  readonly run_id: string;
  readonly limits: RunLimits;
  readonly at: number;
  readonly input: unknown;
}): RunRecord {
  const { run_id, limits, at, input } = run;
  const nothing = { due_at: null, steps: new Map(), tasks: {} };
  return { run_id, state: "pending", limits, updated_at: at, ...nothing, bytes: bytesOf(input) };
}

/** Returns the steps of `after` that differ from `before`, by path, unordered. */
export function changedSteps(
  before: RunRecord,
  after: RunRecord,
): readonly (readonly [path: string, step: StepRecord])[] {
  return [...after.steps].filter(([path, step]) => before.steps.get(path) !== step);
}

/** Returns true if a step or a run has ended. Only a retry of the run restarts a step, or reopens a failed or timed-out run. */
export function hasEnded({ state }: { readonly state: StepState | RunState }): boolean {
  return state !== "pending" && state !== "running";
}

/** Returns false if a run fails the same way after a retry: the outputs of its succeeded steps, and its definition, never change. */
export function canRetryHelp(error: RunProblem | undefined): boolean {
  return !["mapping_failed", "condition_failed", "collection_invalid"].includes(error?.kind ?? "");
}

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

/** Returns the paths of the loops around a step with the indexes of their items, outermost first. */
export function loopsAround(path: string): readonly { readonly path: string; readonly index: number }[] {
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

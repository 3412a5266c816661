import type { RunProblem } from "@crosszone/contracts";
import type { RunPlan, RunView } from "../state/run-plan.ts";
import { bytesOf, hasEnded, type RunRecord, type StepRecord } from "../state/run-record.ts";
import { taskIdOf } from "../state/step-path.ts";
import type { Lane } from "../steps/step-kind.ts";
import { splitOf } from "./lanes.ts";
import type { CancelCommand, DispatchCommand } from "./run-events.ts";

/** A run while an event is applied to it. Private to one reducer call. Records are replaced, never changed. */
export interface RunDraft extends RunView {
  readonly plan: RunPlan;
  readonly before: RunRecord;
  /** Now, Unix milliseconds. */
  readonly at: number;
  readonly steps: Map<string, StepRecord>;
  /** Whether a step was changed. */
  hasChanged: boolean;
  readonly tasks: Map<string, string>;
  readonly dispatches: Map<string, DispatchCommand>;
  readonly cancels: CancelCommand[];
  /** As in the run's record. */
  bytes: number;
  /** Items of all started loops; computed on demand. */
  items?: number;
  /** Time spent starting steps so far, milliseconds. */
  startingMs: number;
  /** The items of started loops by path; computed on demand. */
  readonly collections: Map<string, readonly unknown[]>;
}

/** Starts applying an event to a run. If an executor's clock is behind, the event gets the time of the previous one. */
export function draftOf(plan: RunPlan, before: RunRecord, eventAt: number): RunDraft {
  return {
    plan,
    before,
    definition: plan.definition,
    limits: before.limits,
    at: Math.max(before.updated_at, eventAt),
    steps: new Map(before.steps),
    hasChanged: false,
    tasks: new Map(Object.entries(before.tasks)),
    dispatches: new Map(),
    cancels: [],
    bytes: before.bytes,
    startingMs: 0,
    collections: new Map(),
  };
}

export function put(draft: RunDraft, path: string, record: StepRecord): StepRecord {
  draft.steps.set(path, record);
  draft.hasChanged = true;
  return record;
}

/** Ends a step and drops what is only needed while it runs. */
export function endStep(
  draft: RunDraft,
  path: string,
  end: Pick<StepRecord, "state" | "output" | "error" | "calls">,
): StepRecord {
  const { due_at: _, ...record } = draft.steps.get(path) ?? { attempt: 1 };
  return put(draft, path, { ...record, ...end, ended_at: draft.at });
}

export function failStep(draft: RunDraft, path: string, error: Omit<RunProblem, "path">): StepRecord {
  return endStep(draft, path, { state: "failed", error: { path, ...error } });
}

/**
 * Adds the size of a step's input, output or error to the run's total. Returns a problem, and adds nothing, if the total would exceed the
 * limit.
 */
export function addBytes(draft: RunDraft, what: string, value: unknown): Omit<RunProblem, "path"> | undefined {
  const bytes = bytesOf(value);
  const { max_bytes: most } = draft.limits;
  if (draft.bytes + bytes > most) {
    const message = `${what} has ${bytes} bytes, and the run already had ${draft.bytes}. Its inputs and outputs would exceed the limit of ${most} bytes.`;
    return { kind: "run_too_large", message };
  }
  draft.bytes += bytes;
  return undefined;
}

/** Cancels a task at its agent. A task that is not dispatched yet never will be. */
export function stopTask(draft: RunDraft, path: string, { attempt }: StepRecord): void {
  const taskId = taskIdOf(draft.before.run_id, path, attempt);
  const given = draft.dispatches.get(taskId);
  if (given) draft.bytes -= bytesOf(given.input);
  if (!draft.tasks.delete(taskId) || draft.dispatches.delete(taskId)) return;
  draft.cancels.push({ type: "cancel", task_id: taskId, path });
}

/** Cancels the running steps of a lane. */
export function cancelLane(draft: RunDraft, lane: Lane): void {
  for (const path of lane.paths) {
    const record = draft.steps.get(path);
    if (!record || hasEnded(record)) continue;
    stopTask(draft, path, record);
    endStep(draft, path, { state: "canceled" });
    for (const inner of splitOf(draft, path, record).lanes) cancelLane(draft, inner);
  }
}

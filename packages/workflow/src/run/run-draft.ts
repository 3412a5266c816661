import type { RunProblem } from "@crosszone/contracts";
import type { RunRecord, StepRecord } from "./run-record.ts";
import type { CancelCommand, DispatchCommand } from "./run-events.ts";
import type { RunPlan } from "./run-plan.ts";
import { bytesOf } from "./bytes-of.ts";
import { hasEnded } from "./lane-end.ts";
import type { RunView } from "./run-view.ts";
import { splitOf, type Lane } from "./split.ts";
import { taskIdOf } from "./step-path.ts";

/** A run while an event is worked into it. Nobody else sees it; records are replaced, never changed. */
export interface RunDraft extends RunView {
  readonly plan: RunPlan;
  readonly before: RunRecord;
  /** Now, Unix milliseconds. */
  readonly at: number;
  readonly steps: Map<string, StepRecord>;
  /** Whether a step was put. */
  hasChanged: boolean;
  readonly tasks: Map<string, string>;
  readonly dispatches: Map<string, DispatchCommand>;
  readonly cancels: CancelCommand[];
  /** As in the run's record. */
  bytes: number;
  /** Of all loops that were begun; known when somebody has asked. */
  items?: number;
  /** How long it has taken to start its steps, milliseconds. */
  startingMs: number;
  /** What the loops that were started run over, by their paths, as far as somebody asked. */
  readonly collections: Map<string, readonly unknown[]>;
}

/** Begins to work an event into a run. An event of an executor whose clock is behind happens when the one before it did. */
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

/** Ends a step. What only matters while it runs is dropped. */
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

/** Counts what a step is given, puts out or fails with. Gives what is wrong when it is more than the run may hold; it is not counted then. */
export function addBytes(draft: RunDraft, what: string, value: unknown): Omit<RunProblem, "path"> | undefined {
  const bytes = bytesOf(value);
  const { max_bytes: most } = draft.limits;
  if (draft.bytes + bytes > most) {
    const message = `${what} is ${bytes} bytes, and the inputs and outputs of the run came to ${draft.bytes} before it: more than the ${most} that a run may hold.`;
    return { kind: "run_too_large", message };
  }
  draft.bytes += bytes;
  return undefined;
}

/** Takes a task back from its agent. One that was not given out yet never will be. */
export function stopTask(draft: RunDraft, path: string, { attempt }: StepRecord): void {
  const taskId = taskIdOf(draft.before.run_id, path, attempt);
  const given = draft.dispatches.get(taskId);
  if (given) draft.bytes -= bytesOf(given.input);
  if (!draft.tasks.delete(taskId) || draft.dispatches.delete(taskId)) return;
  draft.cancels.push({ type: "cancel", task_id: taskId, path });
}

/** Cancels what of a lane was started and has not ended. */
export function cancelLane(draft: RunDraft, lane: Lane): void {
  for (const path of lane.paths) {
    const record = draft.steps.get(path);
    if (!record || hasEnded(record)) continue;
    stopTask(draft, path, record);
    endStep(draft, path, { state: "canceled" });
    for (const inner of splitOf(draft, path, record).lanes) cancelLane(draft, inner);
  }
}

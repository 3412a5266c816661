import { PlanFault } from "../mapping/workflow-fault.ts";
import type { RunPlan } from "../state/run-plan.ts";
import { hasEnded, isEnded, type RunRecord } from "../state/run-record.ts";
import { mainLane } from "./lanes.ts";
import { reopen } from "./reopen.ts";
import { cancelLane, draftOf, endStep, type RunDraft, stopTask } from "./run-draft.ts";
import type { Reduction, RunEvent } from "./run-events.ts";
import { type RunEnd, settle } from "./settle.ts";
import { takeResult } from "./take-result.ts";

/** The changes of the run itself: start, due time, and end. */
interface Turn {
  readonly startedAt: number | undefined;
  readonly deadlineAt: number | undefined;
  readonly end: RunEnd | undefined;
}

/**
 * Applies an event to a run; returns the new run and the commands to execute. Pure: the same plan, run and event give the same result.
 * Exceptions are timeouts, which fail the run: one second for a condition, eight for all conditions and mappings of one event. Never
 * throws; a plan that can't be followed fails the run. Late and repeated events, and events after the end, change nothing.
 */
export function reduce(plan: RunPlan, run: RunRecord, event: RunEvent): Reduction {
  const draft = draftOf(plan, run, event.at);
  try {
    if (event.type === "given_up" && !isEnded(run)) throw tooHeavy(event.processes);
    const turn = turnOf(draft, event);
    return turn ? reductionOf(draft, turn) : { run, commands: [] };
  } catch (fault) {
    return { ...reductionOf(...brokenOff(draftOf(plan, run, event.at), event, fault)), fault };
  }
}

/** Returns undefined when the event does not apply to the run's state. */
function turnOf(draft: RunDraft, event: RunEvent): Turn | undefined {
  const { before: run } = draft;
  const isOpen = run.state === "running";
  if (event.type === "run_started") return run.state === "pending" ? begin(draft, draft.at) : undefined;
  if (event.type === "result_received") return takeResult(draft, event.result) ? goOn(draft) : undefined;
  if (event.type === "time_passed") return isOpen ? goOn(draft) : undefined;
  if (event.type === "cancel_requested") return isEnded(run) ? undefined : cancel(draft);
  if (event.type === "given_up" || (run.state !== "failed" && run.state !== "timed_out")) return undefined;
  reopen(draft);
  return begin(draft, run.started_at ?? draft.at);
}

function cancel(draft: RunDraft): Turn {
  const { deadline_at: deadlineAt, started_at: startedAt } = draft.before;
  cancelLane(draft, mainLane(draft));
  return {
    startedAt,
    deadlineAt,
    end: { state: "canceled", error: { kind: "canceled", message: "The run was canceled." } },
  };
}

function begin(draft: RunDraft, startedAt: number): Turn {
  const deadlineAt = draft.at + draft.limits.deadline_ms;
  return { startedAt, deadlineAt, end: settle(draft, deadlineAt) };
}

function goOn(draft: RunDraft): Turn {
  const { deadline_at: deadlineAt = Infinity, started_at: startedAt } = draft.before;
  return { startedAt, deadlineAt, end: settle(draft, deadlineAt) };
}

/** Ends a run after an exception: agents' results are kept, running steps are canceled, and the run fails. */
function brokenOff(draft: RunDraft, event: RunEvent, fault: unknown): [RunDraft, Turn] {
  if ("result" in event && event.result) takeResult(draft, event.result);
  for (const [path, record] of draft.steps) {
    if (hasEnded(record)) continue;
    stopTask(draft, path, record);
    endStep(draft, path, { state: "canceled" });
  }
  const message =
    fault instanceof PlanFault ? fault.message : "An unexpected error occurred while the run was processed.";
  const { deadline_at: deadlineAt, started_at: startedAt } = draft.before;
  return [draft, { startedAt, deadlineAt, end: { state: "failed", error: { kind: "internal", message } } }];
}

const tooHeavy = (processes: number): PlanFault =>
  new PlanFault(
    `The run was given up: ${String(processes)} processes crashed while they processed it. Reduce the data that its steps pass on, then start it again.`,
  );

function reductionOf(draft: RunDraft, { deadlineAt, end, startedAt }: Turn): Reduction {
  const { at, before, limits } = draft;
  const isDue = before.due_at !== null && before.due_at <= at;
  if (!end && before.state === "running" && !draft.hasChanged && !isDue) return { run: before, commands: [] };
  const run: RunRecord = {
    run_id: before.run_id,
    state: end?.state ?? "running",
    limits,
    updated_at: at,
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(deadlineAt !== undefined && { deadline_at: deadlineAt }),
    due_at: end ? null : dueAt(draft, deadlineAt),
    steps: draft.steps,
    tasks: Object.fromEntries(draft.tasks),
    bytes: draft.bytes,
    ...(end && { ended_at: at }),
    ...(end && "output" in end && { output: end.output }),
    ...(end?.error && { error: end.error }),
  };
  const commands = [...draft.cancels, ...draft.dispatches.values()];
  return { run, commands: end ? [...commands, { type: "end", ...end }] : commands };
}

/**
 * Keeps an earlier timer whose step has ended: it costs one event that changes nothing else, and moving it would cost an update of an index
 * with each step.
 */
function dueAt(draft: RunDraft, deadlineAt: number | undefined): number {
  const { before, at } = draft;
  const next = nextDue(draft, deadlineAt);
  const isKept = before.state === "running" && before.due_at !== null && before.due_at > at && before.due_at <= next;
  return isKept ? (before.due_at ?? next) : next;
}

function nextDue({ steps }: RunDraft, deadlineAt = Infinity): number {
  let next = deadlineAt;
  for (const { due_at = Infinity, state } of steps.values()) if (state === "running") next = Math.min(next, due_at);
  return next;
}

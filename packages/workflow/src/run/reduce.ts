import { PlanFault } from "../mapping/scope.ts";
import type { RunPlan } from "../state/run-plan.ts";
import { canRetryHelp, hasEnded, isEnded, type RunRecord } from "../state/run-record.ts";
import { mainLane } from "./lanes.ts";
import { cancelLane, type Conditions, editOf, endStep, type RunEdit, stopTask } from "./run-edit.ts";
import type { Reduction, RunEvent } from "./run-events.ts";
import { reopen, type RunEnd, walkRun, takeResult } from "./walk-run.ts";

/** The changes of the run itself: start, due time, and end. */
interface Turn {
  readonly startedAt: number | undefined;
  readonly deadlineAt: number | undefined;
  readonly end: RunEnd | undefined;
}

/**
 * Applies an event to a run; returns the new run and the commands to execute. Pure: the same plan, run and event give the same result.
 * The exception is a timeout for all mappings of one event, which fails the run. A reduction after which `conditions.asks` has an entry is
 * not final, unless it has a fault. Never throws; a plan that can't be followed fails the run. Late and repeated events, and events after
 * the end, change nothing.
 */
export function reduce(
  plan: RunPlan,
  run: RunRecord,
  { event, conditions }: { readonly event: RunEvent; readonly conditions: Conditions },
): Reduction {
  const { at } = event;
  const edit = editOf(plan, run, { at, conditions });
  try {
    if (event.type === "given_up" && !isEnded(run)) throw tooHeavy(event.processes);
    const turn = turnOf(edit, event);
    return turn ? reductionOf(edit, turn) : { run, commands: [] };
  } catch (fault) {
    return { ...reductionOf(...brokenOff(editOf(plan, run, { at, conditions }), event, fault)), fault };
  }
}

/** Returns undefined when the event does not apply to the run's state. */
function turnOf(edit: RunEdit, event: RunEvent): Turn | undefined {
  const { before: run } = edit;
  const isOpen = run.state === "running";
  if (event.type === "run_started") return run.state === "pending" ? begin(edit, edit.at) : undefined;
  if (event.type === "result_received") return takeResult(edit, event.result) ? goOn(edit) : undefined;
  if (event.type === "time_passed") return isOpen ? goOn(edit) : undefined;
  if (event.type === "cancel_requested") return isEnded(run) ? undefined : cancel(edit);
  if (event.type === "given_up" || (run.state !== "failed" && run.state !== "timed_out")) return undefined;
  if (!canRetryHelp(run.error)) return undefined;
  reopen(edit);
  return begin(edit, run.started_at ?? edit.at);
}

function cancel(edit: RunEdit): Turn {
  const { deadline_at: deadlineAt, started_at: startedAt } = edit.before;
  cancelLane(edit, mainLane(edit));
  return {
    startedAt,
    deadlineAt,
    end: { state: "canceled", error: { kind: "canceled", message: "The run was canceled." } },
  };
}

function begin(edit: RunEdit, startedAt: number): Turn {
  const deadlineAt = edit.at + edit.limits.deadline_ms;
  return { startedAt, deadlineAt, end: walkRun(edit, deadlineAt) };
}

function goOn(edit: RunEdit): Turn {
  const { deadline_at: deadlineAt = Infinity, started_at: startedAt } = edit.before;
  return { startedAt, deadlineAt, end: walkRun(edit, deadlineAt) };
}

/** Ends a run after an exception: agents' results stay, running steps are canceled, and the run fails. */
function brokenOff(edit: RunEdit, event: RunEvent, fault: unknown): [RunEdit, Turn] {
  if ("result" in event && event.result) takeResult(edit, event.result);
  for (const [path, record] of edit.steps) {
    if (hasEnded(record)) continue;
    stopTask(edit, path, record);
    endStep(edit, path, { state: "canceled" });
  }
  const message =
    fault instanceof PlanFault ? fault.message : "An unexpected error occurred while the run was processed.";
  const { deadline_at: deadlineAt, started_at: startedAt } = edit.before;
  return [edit, { startedAt, deadlineAt, end: { state: "failed", error: { kind: "internal", message } } }];
}

const tooHeavy = (processes: number): PlanFault =>
  new PlanFault(
    `The run was given up: ${String(processes)} processes crashed while they processed it. Reduce the data that its steps pass on, then start it again.`,
  );

function reductionOf(edit: RunEdit, { deadlineAt, end, startedAt }: Turn): Reduction {
  const { at, before, limits } = edit;
  const isDue = before.due_at !== null && before.due_at <= at;
  if (!end && before.state === "running" && !edit.hasChanged && !isDue) return { run: before, commands: [] };
  const run: RunRecord = {
    run_id: before.run_id,
    state: end?.state ?? "running",
    limits,
    updated_at: at,
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(deadlineAt !== undefined && { deadline_at: deadlineAt }),
    due_at: end ? null : dueAt(edit, deadlineAt),
    steps: edit.steps,
    tasks: Object.fromEntries(edit.tasks),
    bytes: edit.bytes,
    ...(end && { ended_at: at }),
    ...(end && "output" in end && { output: end.output }),
    ...(end?.error && { error: end.error }),
  };
  const commands = [...edit.cancels, ...edit.dispatches.values()];
  return { run, commands: end ? [...commands, { type: "end", ...end }] : commands };
}

/**
 * Keeps an earlier timer whose step has ended: it costs one event that changes nothing else, and moving it would cost an update of an index
 * with each step.
 */
function dueAt(edit: RunEdit, deadlineAt: number | undefined): number {
  const { before, at } = edit;
  const next = nextDue(edit, deadlineAt);
  const isKept = before.state === "running" && before.due_at !== null && before.due_at > at && before.due_at <= next;
  return isKept ? (before.due_at ?? next) : next;
}

function nextDue({ steps }: RunEdit, deadlineAt = Infinity): number {
  let next = deadlineAt;
  for (const { due_at = Infinity, state } of steps.values()) if (state === "running") next = Math.min(next, due_at);
  return next;
}

import { PlanFault } from "../mapping/scope.ts";
import type { RunPlan } from "../state/run-plan.ts";
import { canRetryHelp, hasEnded, isEnded, type RunRecord } from "../state/run-record.ts";
import { mainLane } from "./lanes.ts";
import { cancelLane, type Conditions, editOf, endStep, type RunEdit, stopTask } from "./run-edit.ts";
import type { Reduction, RunEnd, TimedEvent } from "./run-events.ts";
import { humanTasks } from "./waiting.ts";
import { reopen, walkRun, takeResult } from "./walk-run.ts";

/**
 * Applies an event to a run; returns the new run and the commands to execute. Pure: the same plan, run and event give the same result.
 * The exception is a timeout for all mappings of one event, which fails the run. A reduction after which `conditions.asks` has an entry is
 * not final, unless it has a fault. Never throws; a plan that can't be followed fails the run. Late and repeated events, and events after
 * the end, change nothing.
 */
export function reduce(
  plan: RunPlan,
  run: RunRecord,
  { event, conditions }: { readonly event: TimedEvent; readonly conditions: Conditions },
): Reduction {
  const { at } = event;
  const edit = editOf(plan, run, { at, conditions });
  try {
    if (event.type === "given_up" && !isEnded(run)) throw tooHeavy(event.processes);
    if (!accept(edit, event)) return { run, commands: [] };
    return reductionOf(edit, event.type === "cancel_requested" ? cancel(edit) : walkRun(edit));
  } catch (fault) {
    const broken = editOf(plan, run, { at, conditions });
    return { ...reductionOf(broken, breakOff(broken, event, fault)), fault };
  }
}

/** Begins to apply an event. Returns false when it does not apply to the run's state. */
function accept(edit: RunEdit, event: TimedEvent): boolean {
  const { before: run } = edit;
  if (event.type === "result_received") return takeResult(edit, event.result);
  if (event.type === "time_passed") return run.state === "running";
  if (event.type === "cancel_requested") return !isEnded(run);
  if (event.type === "given_up") return false;
  if (event.type === "retry_requested") {
    if ((run.state !== "failed" && run.state !== "timed_out") || !canRetryHelp(run.error)) return false;
    reopen(edit);
  } else if (run.state !== "pending") return false;
  edit.startedAt ??= edit.at;
  edit.deadlineAt = edit.at + edit.limits.deadline_ms;
  return true;
}

function cancel(edit: RunEdit): RunEnd {
  cancelLane(edit, mainLane(edit));
  return { state: "canceled", error: { kind: "canceled", message: "The run was canceled." } };
}

/** Ends a run after an exception: agents' results stay, running steps are canceled, and the run fails. */
function breakOff(edit: RunEdit, event: TimedEvent, fault: unknown): RunEnd {
  if ("result" in event && event.result) takeResult(edit, event.result);
  for (const [path, record] of edit.steps) {
    if (hasEnded(record)) continue;
    stopTask(edit, path, record);
    endStep(edit, path, { state: "canceled" });
  }
  const message =
    fault instanceof PlanFault ? fault.message : "An unexpected error occurred while the run was processed.";
  return { state: "failed", error: { kind: "internal", message } };
}

const tooHeavy = (processes: number): PlanFault =>
  new PlanFault(
    `The run was given up: ${String(processes)} processes crashed while they processed it. Reduce the data that its steps pass on, then start it again.`,
  );

function reductionOf(edit: RunEdit, end: RunEnd | undefined): Reduction {
  const { at, before } = edit;
  const isDue = before.due_at !== null && before.due_at <= at;
  if (!end && before.state === "running" && !edit.hasChanged && !isDue) return { run: before, commands: [] };
  const run: RunRecord = {
    run_id: before.run_id,
    state: end?.state ?? "running",
    limits: edit.limits,
    updated_at: at,
    started_at: edit.startedAt,
    deadline_at: edit.deadlineAt,
    due_at: end ? null : dueAt(edit),
    steps: edit.steps,
    tasks: Object.fromEntries(edit.tasks),
    bytes: edit.bytes,
    ended_at: end && at,
    output: end?.output,
    error: end?.error,
  };
  const commands = [...edit.cancels, ...edit.dispatches.values()];
  return { run, commands: end ? [...commands, { type: "end", ...end }] : commands };
}

/**
 * Returns when the run needs an event; null while it waits only for people. Keeps an earlier timer whose step has ended: it costs one event that changes nothing else, and moving it would cost an update of an index
 * with each step.
 */
function dueAt({ before, at, steps, tasks, definition, deadlineAt = Infinity }: RunEdit): number | null {
  let next = humanTasks(definition, tasks).length > 0 ? Infinity : deadlineAt;
  for (const { due_at = Infinity, state } of steps.values()) if (state === "running") next = Math.min(next, due_at);
  const { state, due_at: kept } = before;
  if (state === "running" && kept !== null && kept > at && kept <= next) return kept;
  return next === Infinity ? null : next;
}

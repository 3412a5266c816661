import type { AgentResult, RunProblem } from "@crosszone/contracts";
import { PlanFault, WorkflowFault } from "../mapping/scope.ts";
import {
  canRetryHelp,
  hasEnded,
  type RunPlan,
  type RunRecord,
  stepIdOf,
  stepOf,
  type TreeRoom,
} from "../steps/run-record.ts";
import type { Lane } from "../steps/step-kind.ts";
import { stepKindOf } from "../steps/step-kinds.ts";
import { isTolerated, laneOutput, mainLane, splitOf } from "./lanes.ts";
import {
  addBytes,
  cancelLane,
  type Conditions,
  editOf,
  endStep,
  failStep,
  put,
  type RunEdit,
  stopTask,
  TreeFault,
} from "./run-edit.ts";
import { pausesDeadline, type Reduction, type RunEnd, type TimedEvent } from "./run-events.ts";
import { scopeAt, walkLane } from "./walk.ts";

/**
 * Advances a run as far as possible. Returns its end, or undefined while it is open. After the deadline no step starts; a last result that
 * arrives with the deadline still counts.
 */
function walkRun(edit: RunEdit): RunEnd | undefined {
  const { deadlineAt = Infinity } = edit;
  const lane = mainLane(edit);
  const isOver = deadlineAt <= edit.at;
  const end = walkLane(edit, lane, { mayStart: !isOver, capAt: deadlineAt, depth: 0 });
  if (end.state === "succeeded") return succeed(edit);
  if (isOver) {
    cancelLane(edit, lane);
    return {
      state: "timed_out",
      error: { kind: "run_timed_out", message: "The run reached its deadline before it was done." },
    };
  }
  return end.state === "failed" ? { state: "failed", error: causeOf(edit, end.error) } : undefined;
}

function succeed(edit: RunEdit): RunEnd {
  const { output_mapping } = edit.definition;
  if (output_mapping === undefined) return { state: "succeeded", output: laneOutput(edit, mainLane(edit)) };
  try {
    return { state: "succeeded", output: edit.plan.expressions.resolve(output_mapping, scopeAt(edit, "")) ?? null };
  } catch (error) {
    if (!(error instanceof WorkflowFault)) throw error;
    return { state: "failed", error: { kind: error.kind, message: error.message } };
  }
}

/** If a step failed because of another, returns the error of the other, which is more specific. */
function causeOf(edit: RunEdit, error: RunProblem): RunProblem {
  const cause =
    error.kind === "step_failed" && error.path !== undefined ? edit.steps.get(error.path)?.error : undefined;
  return cause ?? error;
}

/** Applies an agent's result to its step. Returns false if no step waits for it: it is late, repeated, or belongs to another run. */
function takeResult(edit: RunEdit, result: AgentResult): boolean {
  const path = result.run_id === edit.before.run_id ? edit.tasks.get(result.task_id) : undefined;
  if (path === undefined) return false;
  edit.tasks.delete(result.task_id);
  const { status, output_data: output, error: agent_error, error_message, attempts: calls } = result;
  const id = stepIdOf(path);
  if (status === "SUCCESS") {
    const step = stepOf(edit.definition, id);
    const kind = stepKindOf(step);
    const refusal = kind.form === "leaf" ? kind.refusal?.(step, output) : undefined;
    const problem = refusal ?? addBytes(edit, `The output of the step "${id}"`, output);
    endStep(
      edit,
      path,
      problem ? { state: "failed", error: { ...problem, path }, calls } : { state: "succeeded", output, calls },
    );
    return true;
  }
  const message = (error_message ?? agent_error?.message) || "The agent failed without giving a reason.";
  const excess = addBytes(edit, `The agent's error in the step "${id}"`, agent_error ?? message);
  const error = excess ?? { kind: "agent_failed", message, agent_error };
  endStep(edit, path, { state: "failed", error: { ...error, path }, calls });
  return true;
}

/**
 * Resets failed and canceled steps to pending, so that they restart as a new attempt. Keeps succeeded steps, and failures that the plan
 * tolerates, because later steps have seen them. `isTolerant`: the step that contains the lane tolerates its failure.
 */
function reopenLane(edit: RunEdit, lane: Lane, isTolerant: boolean): void {
  for (const path of lane.paths) {
    const record = edit.steps.get(path);
    if (!record || record.state === "succeeded") continue;
    if (record.state === "failed" && (isTolerant || isTolerated(edit, path))) continue;
    const split = splitOf(edit, path, record);
    const { attempt, count, is_true } = record;
    put(edit, path, { state: "pending", attempt: attempt + 1, is_true, count });
    for (const inner of split.lanes) reopenLane(edit, inner, split.isTolerant);
  }
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
  {
    event,
    conditions,
    room,
  }: { readonly event: TimedEvent; readonly conditions: Conditions; readonly room?: TreeRoom | undefined },
): Reduction {
  const { at } = event;
  const edit = editOf(plan, run, { at, conditions, room });
  try {
    if (event.type === "given_up" && !hasEnded(run))
      throw new PlanFault(
        `The run was given up: ${String(event.processes)} processes crashed while they processed it. Reduce the data that its steps pass on, then start it again.`,
      );
    if (!accept(edit, event)) return { run, commands: [], taken: edit.taken };
    if (event.type !== "cancel_requested") return reductionOf(edit, walkRun(edit));
    cancelLane(edit, mainLane(edit));
    return reductionOf(edit, canceled);
  } catch (fault) {
    const broken = editOf(plan, run, { at, conditions, room });
    const reduction = reductionOf(broken, breakOff(broken, event, fault));
    return fault instanceof TreeFault ? reduction : { ...reduction, fault };
  }
}

/** Begins to apply an event. Returns false when it does not apply to the run's state. */
function accept(edit: RunEdit, event: TimedEvent): boolean {
  const { before: run } = edit;
  if (event.type === "result_received") return takeResult(edit, event.result);
  if (event.type === "time_passed") return run.state === "running";
  if (event.type === "cancel_requested") return !hasEnded(run);
  if (event.type === "given_up") return false;
  if (event.type === "retry_requested") {
    if ((run.state !== "failed" && run.state !== "timed_out") || !canRetryHelp(run.error)) return false;
    reopenLane(edit, mainLane(edit), false);
  } else if (run.state !== "pending") return false;
  edit.startedAt ??= edit.at;
  edit.deadlineAt = edit.at + edit.limits.deadline_ms;
  return true;
}

const canceled: RunEnd = { state: "canceled", error: { kind: "canceled", message: "The run was canceled." } };

/** Ends a run after an exception: agents' results stay, running steps are canceled, and the run fails. */
function breakOff(edit: RunEdit, event: TimedEvent, fault: unknown): RunEnd {
  if ("result" in event && event.result) takeResult(edit, event.result);
  if (fault instanceof TreeFault && fault.problem !== undefined) failStep(edit, fault.path, fault.problem);
  for (const [path, record] of edit.steps) {
    if (hasEnded(record)) continue;
    stopTask(edit, path, record);
    endStep(edit, path, { state: "canceled" });
  }
  if (fault instanceof TreeFault)
    return fault.problem === undefined ? canceled : { state: "failed", error: fault.problem };
  const message =
    fault instanceof PlanFault ? fault.message : "An unexpected error occurred while the run was processed.";
  return { state: "failed", error: { kind: "internal", message } };
}

function reductionOf(edit: RunEdit, end: RunEnd | undefined): Reduction {
  const { at, before } = edit;
  const isDue = before.due_at !== null && before.due_at <= at;
  if (!end && before.state === "running" && !edit.hasChanged && !isDue)
    return { run: before, commands: [], taken: edit.taken };
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
  return { run, commands: end ? [...commands, { type: "end", ...end }] : commands, taken: edit.taken };
}

/**
 * Returns when the run needs an event; null while it waits only for other jobs. Keeps an earlier timer whose step has ended: it costs one event that changes nothing else, and moving it would cost an update of an index
 * with each step.
 */
function dueAt({ before, at, steps, definition, deadlineAt = Infinity }: RunEdit): number | null {
  let next = pausesDeadline(definition, steps) ? Infinity : deadlineAt;
  for (const { due_at = Infinity, state } of steps.values()) if (state === "running") next = Math.min(next, due_at);
  const { state, due_at: kept } = before;
  if (state === "running" && kept !== null && kept > at && kept <= next) return kept;
  return next === Infinity ? null : next;
}

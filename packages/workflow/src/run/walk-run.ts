import type { AgentResult, RunProblem } from "@crosszone/contracts";
import { WorkflowFault } from "../mapping/scope.ts";
import { stepIdOf, stepOf } from "../state/run-plan.ts";
import type { StepRecord } from "../state/run-record.ts";
import type { Lane } from "../steps/step-kind.ts";
import { kindOf } from "../steps/step-kinds.ts";
import { isTolerated, laneOutput, mainLane, splitOf } from "./lanes.ts";
import { addBytes, cancelLane, endStep, put, type RunEdit } from "./run-edit.ts";
import type { RunEnd } from "./run-events.ts";
import { scopeAt } from "./scope-at.ts";
import { walkLane } from "./walk.ts";

/**
 * Advances a run as far as possible. Returns its end, or undefined while it is open. After the deadline no step starts; a last result that
 * arrives with the deadline still counts.
 */
export function walkRun(edit: RunEdit): RunEnd | undefined {
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
export function takeResult(edit: RunEdit, result: AgentResult): boolean {
  const path = result.run_id === edit.before.run_id ? edit.tasks.get(result.task_id) : undefined;
  if (path === undefined) return false;
  edit.tasks.delete(result.task_id);
  const { status, output_data: output, error: agent_error, error_message, attempts: calls } = result;
  const step = stepIdOf(path);
  if (status === "SUCCESS") {
    const problem = refusalOf(edit, path, output) ?? addBytes(edit, `The output of the step "${step}"`, output);
    endStep(
      edit,
      path,
      problem ? { state: "failed", error: { ...problem, path }, calls } : { state: "succeeded", output, calls },
    );
    return true;
  }
  const message = (error_message ?? agent_error?.message) || "The agent failed without giving a reason.";
  const excess = addBytes(edit, `The agent's error in the step "${step}"`, agent_error ?? message);
  const error = excess ?? { kind: "agent_failed", message, agent_error };
  endStep(edit, path, { state: "failed", error: { ...error, path }, calls });
  return true;
}

function refusalOf({ definition }: RunEdit, path: string, output: unknown): RunProblem | undefined {
  const step = stepOf(definition, stepIdOf(path));
  const kind = kindOf(step);
  return kind.form === "leaf" ? kind.refusal?.(step, output) : undefined;
}

/**
 * Resets failed and canceled steps to pending, so that they restart as a new attempt. Keeps succeeded steps, and failures that the plan
 * tolerates, because later steps have seen them.
 */
export function reopen(edit: RunEdit): void {
  reopenLane(edit, mainLane(edit), false);
}

/** `isTolerant`: the step that contains the lane tolerates its failure. */
function reopenLane(edit: RunEdit, lane: Lane, isTolerant: boolean): void {
  for (const path of lane.paths) {
    const record = edit.steps.get(path);
    if (!record || record.state === "succeeded") continue;
    if (record.state === "failed" && (isTolerant || isTolerated(edit, path))) continue;
    reopenStep(edit, path, record);
  }
}

function reopenStep(edit: RunEdit, path: string, record: StepRecord): void {
  const split = splitOf(edit, path, record);
  const { attempt, count, is_true } = record;
  put(edit, path, { state: "pending", attempt: attempt + 1, is_true, count });
  for (const lane of split.lanes) reopenLane(edit, lane, split.isTolerant);
}

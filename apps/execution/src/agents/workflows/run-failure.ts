import {
  ZoneError,
  type ErrorKind,
  type FailedRun,
  type RunProblem,
  type RunProblemKind,
  type WorkflowRun,
  type WorkflowStepRecord,
} from "@crosszone/contracts";
import type { ReadRun } from "@crosszone/workflow";
import { zoneKindOf } from "../answers/result-answer.ts";
import { taskProgressOf } from "./task-runs.ts";

const kinds = {
  agent_failed: "agent_failed",
  input_denied: "agent_failed",
  step_timed_out: "timeout",
  run_timed_out: "timeout",
  // The agent's or person's data doesn't fit the workflow: another question may work.
  mapping_failed: "agent_failed",
  condition_failed: "agent_failed",
  collection_invalid: "agent_failed",
  run_too_large: "agent_failed",
  join_failed: "agent_failed",
  step_failed: "agent_failed",
  canceled: "canceled",
  internal: "internal",
} satisfies Record<RunProblemKind, ErrorKind>;

/**
 * Converts a failed run into the zone link's error. It names the failed agent, or else the workflow, and the progress
 * and step of the run. Messages of agents go into the log only.
 */
export function runFailure(found: ReadRun): ZoneError {
  const { workflow_id, state, error, steps } = found.run;
  const failed = steps.find(({ path }) => path === error?.path);
  const kind = state === "canceled" ? "canceled" : state === "timed_out" ? "timeout" : kindOf(error);
  const data = {
    agent: failed?.agent_name ?? workflow_id,
    failed_run: failedRunOf(found.run, failed),
    progress: taskProgressOf(found),
  };
  return new ZoneError(kind, data, { cause: new WorkflowRunError(state, error) });
}

function failedRunOf({ workflow_id, state, error }: WorkflowRun, failed: WorkflowStepRecord | undefined): FailedRun {
  const reason = error?.kind ?? (state === "canceled" ? "canceled" : "internal");
  return { workflow: workflow_id, reason, ...(failed && { step: failed.title ?? failed.step_id }) };
}

function kindOf(error: RunProblem | undefined): ErrorKind {
  if (error === undefined) return "internal";
  const { kind, agent_error } = error;
  const zoneKind = agent_error === undefined ? kinds[kind] : zoneKindOf(agent_error.kind);
  // The requester asked for the workflow, not for that agent, and the workflow exists.
  return zoneKind === "unknown_agent" ? "agent_unavailable" : zoneKind;
}

/** Why a run failed, for the log. */
class WorkflowRunError extends Error {
  override readonly name = "WorkflowRunError";

  constructor(state: WorkflowRun["state"], error: RunProblem | undefined) {
    const place = error?.path === undefined ? "the run" : `the step "${error.path}"`;
    super(error === undefined ? `the run is ${state}` : `${place} (${error.kind}): ${error.message}`);
  }
}

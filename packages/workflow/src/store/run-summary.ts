import type { RunProblem, RunState, WorkflowRunSummary } from "@crosszone/contracts";
import { SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { unreadableProblem } from "./load-runs.ts";
import { canRetryHelp } from "../state/run-record.ts";
import type { RunRow } from "./run-row.ts";
import { runContext, type StoredRun } from "./stored-run.ts";

/** The columns of a summary. */
export const summaryColumns = [
  "run_id",
  "workflow_id",
  "version",
  "name",
  "state",
  "revision",
  "correlation_id",
  "error",
  "created_at",
  "started_at",
  "ended_at",
  "deadline_at",
] as const;

export type SummaryRow = Pick<RunRow, (typeof summaryColumns)[number]>;

/** Returns a run without its steps. An error that no key decrypts becomes an internal error, so that the rest of a list stays visible. */
export function summaryOf(row: SummaryRow, codec: RecordCodec): WorkflowRunSummary {
  const { run_id, workflow_id, version, name, state, revision, correlation_id, error } = row;
  return {
    run_id,
    workflow_id,
    version,
    name,
    state,
    revision,
    correlation_id,
    ...failureOf(state, error === null ? undefined : problemOf(error, runContext("error", run_id), codec)),
    ...momentsOf(row),
  };
}

/** Returns the summary of a run that was read completely. */
export function summaryOfRun({ plan, record, origin, revision, createdAt }: StoredRun): WorkflowRunSummary {
  const { run_id, state, error } = record;
  const { workflow_id, version, name } = plan.definition;
  return {
    run_id,
    workflow_id,
    version,
    name,
    state,
    revision,
    correlation_id: origin.correlation_id,
    ...failureOf(state, error),
    ...momentsOf({ ...record, created_at: createdAt }),
  };
}

/** Returns the error of a run, and whether a retry can end differently if its state allows one. */
function failureOf(state: RunState, error: RunProblem | undefined): Pick<WorkflowRunSummary, "error" | "retryable"> {
  const isFailed = state === "failed" || state === "timed_out";
  return { ...(error !== undefined && { error }), ...(isFailed && { retryable: canRetryHelp(error) }) };
}

type Moments = Pick<WorkflowRunSummary, "created_at" | "started_at" | "ended_at" | "deadline">;

/** Converts Unix milliseconds. A missing time is null in a row and absent in a record. */
function momentsOf(
  moments: Pick<SummaryRow, "created_at"> & Partial<Pick<SummaryRow, "started_at" | "ended_at" | "deadline_at">>,
): Moments {
  const { created_at, started_at = null, ended_at = null, deadline_at = null } = moments;
  return {
    created_at: isoTime(created_at),
    ...(started_at !== null && { started_at: isoTime(started_at) }),
    ...(ended_at !== null && { ended_at: isoTime(ended_at) }),
    ...(deadline_at !== null && { deadline: isoTime(deadline_at) }),
  };
}

function problemOf(text: string, context: string, codec: RecordCodec): RunProblem {
  try {
    return codec.fromColumn(text, context) as RunProblem;
  } catch (error) {
    if (error instanceof SealedTextError) return unreadableProblem;
    throw error;
  }
}

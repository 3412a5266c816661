import type { ParamProblem, StartRunRequest } from "@crosszone/contracts";
import type { CallHeaders } from "@crosszone/jobs";
import { columnText } from "@crosszone/sql";
import { checkInputOnThread } from "../definition/definitions-on-thread.ts";
import { bytesOf, newRun } from "../state/run-record.ts";
import type { RunOrigin, RunReading, StoredRun } from "../store/stored-run.ts";
import type { FoundVersion } from "../store/version-store.ts";

/** The default limits of runs. */
export interface WorkflowLimits {
  /** Default deadline of a run, milliseconds. */
  readonly deadlineMs: number;
  /** Default timeout of an agent step, milliseconds. */
  readonly stepTimeoutMs: number;
  /** Maximum number of concurrent tasks of one run. */
  readonly maxRunning: number;
  /** Maximum total size of a run's input and of all inputs, outputs and errors of its steps, bytes of JSON. */
  readonly maxRunBytes: number;
  /** How long an ended run is stored, milliseconds. */
  readonly retentionMs: number;
}

/** The `reply-to` of a run's calls: workflows receive their results. */
const replyTo = "workflow";

/** Returns the problems of a run's input; empty when the run can start. */
export async function inputProblems(
  { definition: { input_schema } }: FoundVersion,
  input: unknown,
  {
    limits: { maxRunBytes: most },
    signal,
  }: { readonly limits: WorkflowLimits; readonly signal: AbortSignal | undefined },
): Promise<readonly ParamProblem[]> {
  const bytes = bytesOf(input);
  if (bytes > most)
    return [{ pointer: "", message: `must be smaller: it has ${bytes} bytes, and a run can have ${most}` }];
  return input_schema ? checkInputOnThread(input_schema, input, signal) : [];
}

export interface RunRequest {
  readonly run_id: string;
  readonly request: StartRunRequest;
  readonly headers: CallHeaders;
}

/** Returns a run that is not stored yet. */
export function unstoredRun(
  { planOf, limits }: Pick<RunReading, "planOf"> & { readonly limits: WorkflowLimits },
  { definition, text }: FoundVersion,
  { run_id, request, headers }: RunRequest,
): StoredRun {
  const { input = {}, deadline_ms: requestedMs = Infinity } = request;
  const origin: RunOrigin = {
    correlation_id: request.correlation_id ?? run_id,
    headers: { ...headers, "reply-to": replyTo },
    limits: {
      deadline_ms: Math.min(definition.deadline_ms ?? limits.deadlineMs, requestedMs),
      step_timeout_ms: limits.stepTimeoutMs,
      max_running: limits.maxRunning,
      max_bytes: limits.maxRunBytes,
    },
  };
  const { "data-owner": team } = headers;
  const record = newRun({ run_id, at: 0, input, limits: origin.limits });
  return {
    plan: { ...planOf(text), input },
    record,
    revision: 0,
    stateRevision: 0,
    lastRequest: null,
    origin,
    team: team === undefined ? null : columnText(team),
    createdAt: 0,
    bytes: text.length + record.bytes,
  };
}

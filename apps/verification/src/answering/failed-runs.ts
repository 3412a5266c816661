import { type GetAsyncTaskResultResult, ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { InboxFullError, ReleasedError } from "../inbox/endings.ts";
import { type FailedRunRecord, headOf, type StoredAnswer } from "../inbox/records.ts";
import type { ZoneParts } from "../workspaces/zone-parts.ts";
import { doneBy } from "./questions/answer-question.ts";
import type { Answering, Flow } from "./questions/attempt.ts";
import { createResultFlow } from "./questions/result-flow.ts";
import type { TaskOutcome } from "./questions/task-outcome.ts";
import { listSession } from "./tasks/zone-calls.ts";

/** How long after its failure a run is watched for a retry, milliseconds. Execution keeps failed tasks as long by default. */
const watchMs = 86_400_000;

/** Makes a function that stores failed runs in the inbox, each failure once. */
export function createWatchFailedRun({
  inbox,
  newId,
  clock,
}: Pick<ZoneParts, "inbox" | "newId" | "clock">): Answering["watchFailedRun"] {
  return async (record, error) => {
    const { failed_run, task_id, progress } = error instanceof ZoneError ? error.data : {};
    // A canceled run cannot be retried.
    if (failed_run === undefined || failed_run.reason === "canceled" || task_id === undefined) return;
    const seen = progress?.revision ?? 0;
    const head = { ...headOf(record), request_id: newId(), claims: [`failed run ${task_id} ${seen}`] };
    const watched = { ...head, kind: "failed_run" as const, task_id, seen, until: clock.now() + watchMs };
    await inbox.accept(watched).catch((failure: unknown) => {
      if (!(failure instanceof InboxFullError)) throw failure;
    });
  };
}

/**
 * Makes the flow that watches a failed run: once an operator has retried it, and it has ended again, its thread gets the result. The record
 * stays in the inbox until then, or for a day, so no restart of either zone loses the result.
 */
export function createFailedRunFlow(answering: Answering): Flow<"failed_run"> {
  return createResultFlow<"failed_run">(answering, (record, signal) => newOutcome(answering, record, signal), retried);
}

/**
 * Returns the result of a retried run; undefined if there will be none. Rejects with a `ReleasedError` that says when to look again.
 */
async function newOutcome(
  answering: Answering,
  record: FailedRunRecord,
  signal: AbortSignal,
): Promise<TaskOutcome | undefined> {
  const { zone, clock, limits } = answering;
  const { task_id, correlation_id: correlationId, user_id } = record;
  const call = { signal, session: listSession, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const result = await zone
    .call("get_async_task_result", { task_id }, call)
    .catch((error: unknown): ZoneError | LinkError => {
      signal.throwIfAborted();
      if (error instanceof ZoneError || error instanceof LinkError) return error;
      throw error;
    });
  if (isUnchanged(result, record)) {
    if (clock.now() > record.until) return undefined;
    throw new ReleasedError("no operator has retried the run yet", pauseMs(record, clock.now()));
  }
  if (result instanceof ZoneError && result.data.failed_run === undefined) return undefined;
  if (!(result instanceof Error) && result.status === "working") throw new ReleasedError("the run goes on", goingOnMs);
  if (result instanceof Error) return { state: "failed", error: result };
  return result.status === "success" ? { ...doneBy(answering, result, true), people: new Set([user_id]) } : undefined;
}

/** The pause while a retried run goes on, and the shortest and longest pause before, milliseconds. */
const goingOnMs = 2_000;
const [shortestMs, longestMs] = [5_000, 300_000];

/** Returns a pause that grows with the age of the failure, to a twentieth of it. */
function pauseMs({ until }: FailedRunRecord, now: number): number {
  const ageMs = now - (until - watchMs);
  return Math.min(longestMs, Math.max(shortestMs, ageMs / 20));
}

/** Returns true if the run is as it was, or execution cannot say at the moment. */
function isUnchanged(result: GetAsyncTaskResultResult | ZoneError | LinkError, { seen }: FailedRunRecord): boolean {
  if (result instanceof LinkError) return true;
  if (!(result instanceof ZoneError)) return false;
  const { failed_run, progress } = result.data;
  return failed_run === undefined ? result.kind !== "task_not_found" : (progress?.revision ?? 0) <= seen;
}

function retried({ parts: [first = "", ...others], footer: _used, ...answer }: StoredAnswer): StoredAnswer {
  return { ...answer, parts: [`**Retried:** ${first}`, ...others] };
}

import { type GetAsyncTaskResultResult, ZoneError } from "@crosszone/contracts";
import { atMost } from "@crosszone/service-kit/timing";
import { ReleasedError } from "../../inbox/endings.ts";
import type { PausedTaskRecord, StoredAnswer } from "../../inbox/records.ts";
import { statusTimeoutMs } from "../../workspaces/session-status.ts";
import { doneBy } from "../questions/answer-question.ts";
import type { Answering, Flow } from "../questions/attempt.ts";
import { createResultFlow } from "../questions/result-flow.ts";
import { answerOf } from "../questions/task-outcome.ts";
import { zoneRetryAfter } from "../tasks/zone-calls.ts";
import { lookAgainMs, waitAfter } from "./input-flow.ts";
import { storeInputs } from "../tasks/store-paused.ts";

/** The pause before the next look at a task that works, milliseconds. */
const workingMs = 1_000;

/**
 * Makes the flow that watches a task which waits for people: once they have decided and the task has ended, the thread of its question gets the
 * answer. The record stays in the inbox until then, so no restart of either zone loses the answer.
 */
export function createPausedTaskFlow(answering: Answering): Flow<"paused_task"> {
  return createResultFlow<"paused_task">(answering, (record, signal) => {
    answering.followInputs();
    return newAnswer(answering, record, signal);
  });
}

/** Returns the task's answer; undefined if it gets none. Rejects with a `ReleasedError` that says when to look again. */
async function newAnswer(
  answering: Answering,
  record: PausedTaskRecord,
  signal: AbortSignal,
): Promise<StoredAnswer | undefined> {
  const { workspace, zone, inbox, limits, policy, watchFailedRun, background, clock } = answering;
  const { task_id, session, correlation_id: correlationId, people, is_workflow } = record;
  const call = { signal, session, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const { isStopped, stoppedBy } = await inbox.standing(record);
  const ask = async (): Promise<GetAsyncTaskResultResult | ZoneError> => {
    if (isStopped) await zone.call("cancel_task", { task_id }, call);
    return zone.call("get_async_task_result", { task_id }, call);
  };
  const result = await ask().catch((error: unknown): ZoneError => {
    signal.throwIfAborted();
    if (error instanceof ZoneError && zoneRetryAfter(error) === undefined) return error;
    throw waitAfter(error);
  });
  if (!(result instanceof Error) && result.status === "working") {
    background(workspace.session.working(record));
    throw new ReleasedError("the task goes on", workingMs);
  }
  if (!(result instanceof Error) && result.status === "input_required") {
    await storeInputs(inbox, { ...record, request_id: session }, result.input_requests);
    background(workspace.session.suspended(record));
    throw new ReleasedError("the task waits for people", lookAgainMs);
  }
  await atMost(statusTimeoutMs, workspace.session.idle(record), clock);
  // The policy may no longer allow its requester an answer.
  if ((await workspace.policies.onRetry(record)).denial !== undefined) return undefined;
  if (result instanceof Error) {
    const by = stoppedBy === record.user_id ? undefined : stoppedBy;
    if (isStopped) return answerOf({ state: "stopped", by }, correlationId).answer;
    await watchFailedRun(record, result);
    return answerOf({ state: "failed", error: result }, correlationId).answer;
  }
  const fileRules = { types: policy.current().file_types, maxBytes: limits.MAX_FILE };
  const done = { ...doneBy(result, fileRules, is_workflow), people: new Set(people) };
  return answerOf(done, correlationId).answer;
}

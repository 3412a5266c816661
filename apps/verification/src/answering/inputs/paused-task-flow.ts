import { type GetAsyncTaskResultResult, ZoneError } from "@crosszone/contracts";
import { atMost } from "@crosszone/service-kit/timing";
import { ReleasedError, WithdrawnError } from "../../inbox/endings.ts";
import type { PausedTaskRecord } from "../../inbox/records.ts";
import { statusTimeoutMs } from "../../workspaces/session-status.ts";
import { doneBy } from "../questions/answer-question.ts";
import type { Answering, Flow } from "../questions/attempt.ts";
import { createResultFlow } from "../questions/result-flow.ts";
import type { TaskOutcome } from "../questions/task-outcome.ts";
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
  const shown = new Map<string, "working" | "suspended">();
  return createResultFlow<"paused_task">(answering, async (record, signal) => {
    const { session } = answering.workspace;
    const { request_id } = record;
    const show = (status: "working" | "suspended"): void => {
      if (shown.get(request_id) !== status) answering.background(session[status](record));
      shown.set(request_id, status);
    };
    const outcome = await outcomeOf(answering, record, { signal, show });
    shown.delete(request_id);
    await atMost(statusTimeoutMs, session.idle(record), answering.clock);
    return outcome;
  });
}

/** Returns how the task ended. Rejects with a `ReleasedError` that says when to look again. */
async function outcomeOf(
  answering: Answering,
  record: PausedTaskRecord,
  { signal, show }: { readonly signal: AbortSignal; readonly show: (status: "working" | "suspended") => void },
): Promise<TaskOutcome> {
  const { zone, inbox, limits } = answering;
  const { task_id, session, correlation_id: correlationId, people, is_workflow } = record;
  const call = { signal, session, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const { ended } = await inbox.standing(record);
  const ask = async (): Promise<GetAsyncTaskResultResult | ZoneError> => {
    if (ended !== undefined) await zone.call("cancel_task", { task_id }, call);
    return zone.call("get_async_task_result", { task_id }, call);
  };
  const result = await ask().catch((error: unknown): ZoneError => {
    signal.throwIfAborted();
    if (error instanceof ZoneError && zoneRetryAfter(error) === undefined) return error;
    throw waitAfter(error);
  });
  if (!(result instanceof Error) && result.status === "working") {
    show("working");
    throw new ReleasedError("the task goes on", workingMs);
  }
  if (!(result instanceof Error) && result.status === "input_required") {
    await storeInputs(inbox, { ...record, request_id: session }, result.input_requests);
    show("suspended");
    throw new ReleasedError("the task waits for people", lookAgainMs);
  }
  if (ended?.reason === "withdrawn") throw new WithdrawnError("its author deleted the question");
  if (!(result instanceof Error)) return { ...doneBy(answering, result, is_workflow), people: new Set(people) };
  if (ended === undefined) return { state: "failed", error: result };
  return { state: "stopped", by: ended.by === record.user_id ? undefined : ended.by };
}

import type { ExecuteTaskParams, TaskSucceeded, ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import type { Clock } from "../clock.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { zoneRetryAfter } from "./retry-after.ts";
import { backoffMs, retrying, type RetryOptions } from "./retry.ts";

export interface TaskTimes {
  /** How long one call may take, beside the time that it is asked to wait, milliseconds. */
  readonly callTimeoutMs: number;
  /** How long execution may hold back the answer to a poll, milliseconds. */
  readonly pollWaitMs: number;
  /** How long a call may be repeated, milliseconds. */
  readonly retryBudgetMs: number;
}

export interface RunTaskDeps {
  readonly zone: Client<ZoneMethods>;
  readonly clock: Clock;
  readonly times: TaskTimes;
  readonly onAccepted: (taskId: string) => void;
  readonly onRetry: NonNullable<RetryOptions["onRetry"]>;
  /** Takes over work that nobody waits for; it never rejects. */
  readonly background: (work: Promise<void>) => void;
  readonly onCancelFailed: (error: unknown) => void;
}

export interface TaskRequest {
  /** The request id of `execute_task`, and the session of every call about the task. */
  readonly requestId: string;
  readonly correlationId: string;
  readonly params: ExecuteTaskParams;
}

/**
 * Has a task run in the execution zone and waits for its result. When `signal` aborts, rejects at once with its reason, and the task
 * is canceled over there as soon as its id is known.
 */
export async function runTask(deps: RunTaskDeps, request: TaskRequest, signal: AbortSignal): Promise<TaskSucceeded> {
  const { zone, clock, times, onAccepted, onRetry, background, onCancelFailed } = deps;
  const { requestId, correlationId, params } = request;
  const call = { session: requestId, correlationId, timeoutMs: times.callTimeoutMs };
  const patience = { budgetMs: times.retryBudgetMs, firstMs: 300, longestMs: 5_000, clock, signal, onRetry };

  // Without the signal: only the answer tells the id of the task that would have to be canceled.
  const started = retrying(() => zone.call("execute_task", params, { ...call, id: requestId }), {
    ...patience,
    retryAfter: zoneRetryAfter,
  });
  try {
    const first = await unlessAborted(started, signal);
    if (first.status === "success") return first;
    onAccepted(first.task_id);
    return await poll(first.task_id);
  } catch (error) {
    if (!signal.aborted) throw error;
    background(cancel());
    throw signal.reason;
  }

  async function poll(task_id: string): Promise<TaskSucceeded> {
    const options = { ...call, signal, timeoutMs: times.pollWaitMs + times.callTimeoutMs };
    for (let polls = 1; ; polls += 1) {
      const result = await retrying(
        () => zone.call("get_async_task_result", { task_id, wait_ms: times.pollWaitMs }, options),
        { ...patience, retryAfter: zoneRetryAfter },
      );
      if (result.status === "success") return result;
      await clock.sleep(backoffMs(polls, { firstMs: 200, longestMs: 2_000 }), signal);
    }
  }

  async function cancel(): Promise<void> {
    const answer = await started.catch(() => undefined);
    if (answer?.status !== "accepted") return;
    await zone.call("cancel_task", { task_id: answer.task_id }, call).catch(onCancelFailed);
  }
}

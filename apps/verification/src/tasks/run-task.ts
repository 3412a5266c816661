import {
  ZoneError,
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  type TaskProgress,
  type TaskSucceeded,
  type ZoneMethods,
} from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import type { Clock } from "../clock.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { backoffMs, retrying, type RetryOptions } from "./retry.ts";
import { TaskEnded } from "./running-tasks.ts";
import { zonePatience } from "./zone-patience.ts";

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
  /** Told how far a task is that is done in steps, each time that it is further. */
  readonly onProgress: (progress: TaskProgress) => void;
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
  /** Whether it may have been sent before, by an attempt that came to no end. */
  readonly again?: boolean;
}

/** The pause after a poll that brought progress, milliseconds: the next one may be answered at once too. */
const progressPauseMs = 500;

/** So often a task is sent, when the execution zone has lost it while it was polled. */
const mostSendings = 3;

/**
 * Has a task run in the execution zone and waits for its result. The id makes sending it again harmless: the zone finds the task that it
 * has, and only when it has lost it runs it anew. When `signal` aborts, rejects at once with its reason; a task that was ended
 * (`TaskEnded`) is canceled over there as soon as its id is known, any other is left to whoever asks for it next.
 */
export async function runTask(deps: RunTaskDeps, request: TaskRequest, signal: AbortSignal): Promise<TaskSucceeded> {
  const { zone, clock, times, onAccepted, onProgress, onRetry, background, onCancelFailed } = deps;
  const { requestId, correlationId, params, again = false } = request;
  const call = { session: requestId, correlationId, timeoutMs: times.callTimeoutMs };
  const patience = zonePatience(times.retryBudgetMs, { clock, signal, onRetry });

  // Without the signal: only the answer tells the id of the task that would have to be canceled.
  const send = (): Promise<ExecuteTaskResult> => zone.call("execute_task", params, { ...call, id: requestId });

  for (let sending = 1; ; sending += 1) {
    // What was ended before now is sent for the sake of its id too, if it may be over there.
    const sent = again && signal.reason instanceof TaskEnded ? send() : retrying(send, patience);
    try {
      const first = await unlessAborted(sent, signal);
      if (first.status === "success") return first;
      onAccepted(first.task_id);
      return await poll(first.task_id);
    } catch (error) {
      if (signal.aborted) {
        if (signal.reason instanceof TaskEnded) background(cancel(sent));
        throw signal.reason;
      }
      const isLost = error instanceof ZoneError && error.kind === "task_not_found";
      if (!isLost || sending === mostSendings) throw error;
      onRetry(error, { attempt: sending + 1, waitMs: 0 });
    }
  }

  async function poll(task_id: string): Promise<TaskSucceeded> {
    const options = { ...call, signal, timeoutMs: times.pollWaitMs + times.callTimeoutMs };
    let seen: number | undefined;
    for (let quietPolls = 1; ; quietPolls += 1) {
      const asked = { task_id, wait_ms: times.pollWaitMs, seen_progress: seen ?? 0 };
      const result = await retrying(() => zone.call("get_async_task_result", asked, options), patience);
      if (result.status === "success") return result;
      const { progress } = result;
      const isNews = progress !== undefined && (seen === undefined || progress.revision > seen);
      if (isNews) {
        seen = progress.revision;
        quietPolls = 0;
        onProgress(progress);
      }
      const waitMs = isNews ? progressPauseMs : backoffMs(quietPolls, { firstMs: 200, longestMs: 2_000 });
      await clock.sleep(waitMs, signal);
    }
  }

  async function cancel(sent: Promise<ExecuteTaskResult>): Promise<void> {
    const answer = await sent.catch(() => undefined);
    if (answer?.status !== "accepted") return;
    await zone.call("cancel_task", { task_id: answer.task_id }, call).catch(onCancelFailed);
  }
}

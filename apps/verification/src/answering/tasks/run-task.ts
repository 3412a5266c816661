import {
  ZoneError,
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  type TaskSucceeded,
  type ZoneMethods,
} from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { backoffMs, type Clock, retry, type RetryOptions, unlessAborted } from "@crosszone/service-kit/timing";
import { TaskEnded } from "./running-tasks.ts";
import { createTaskEvents, type TaskViewer } from "./task-events.ts";
import { zoneRetry } from "./zone-retry.ts";

export interface TaskTimes {
  /** Timeout of one call, milliseconds, in addition to the wait that the call requests. */
  readonly callTimeoutMs: number;
  /** How long execution can delay its reply to a poll, milliseconds. */
  readonly pollWaitMs: number;
  /** How long a call is retried, milliseconds. */
  readonly retryBudgetMs: number;
}

export interface RunTaskDeps extends TaskViewer {
  readonly zone: Client<ZoneMethods>;
  readonly clock: Clock;
  readonly times: TaskTimes;
  readonly onRetry: NonNullable<RetryOptions["onRetry"]>;
  /** Takes over work that nothing awaits. The work never rejects. */
  readonly background: (work: Promise<void>) => void;
  readonly onCancelFailed: (error: unknown) => void;
}

export interface TaskRequest {
  /** The request id of `execute_task`, and the session of every call about the task. */
  readonly requestId: string;
  readonly correlationId: string;
  readonly params: ExecuteTaskParams;
  /** True if an earlier attempt that did not finish may have sent the task. */
  readonly isRetry?: boolean;
}

/** Pause after a poll that returned progress, milliseconds, because the next poll may return at once too. */
const progressPauseMs = 500;

/** Pause after a poll that returned events, milliseconds; more events may be ready. */
const streamPauseMs = 50;

/** Pauses after polls that returned no news. */
const quietBackoff = { firstMs: 200, longestMs: 2_000 };

/** Maximum number of times a task is sent, because execution can lose it between polls. */
const mostSendings = 3;

/**
 * Runs a task in execution and resolves with its result. Sending the same id again is harmless: execution returns the task that it has, and
 * starts it again only if it has lost it. When `signal` aborts, rejects at once with its reason. A task that was ended (`TaskEnded`) is
 * then canceled in execution as soon as its id is known; any other task keeps running for the next attempt.
 */
export async function runTask(deps: RunTaskDeps, request: TaskRequest, signal: AbortSignal): Promise<TaskSucceeded> {
  const { zone, clock, times, onAccepted, onRetry, background } = deps;
  const { requestId, correlationId, params, isRetry = false } = request;
  const call = { session: requestId, correlationId, timeoutMs: times.callTimeoutMs };
  const retries = zoneRetry(times.retryBudgetMs, { clock, signal, onRetry });

  let events = createTaskEvents(deps);
  let known = Promise.withResolvers<string>();

  // Sent without the signal: only the result, or an event, has the id of the task to cancel.
  const send = (): Promise<ExecuteTaskResult> => {
    known = Promise.withResolvers();
    const { resolve } = known;
    events = createTaskEvents({
      ...deps,
      onAccepted: (taskId) => {
        resolve(taskId);
        onAccepted(taskId);
      },
    });
    return zone.call("execute_task", params, { ...call, id: requestId, onProgress: events.listen });
  };

  for (let sending = 1; ; sending += 1) {
    // A task that ended earlier is also sent again if execution may have it, to get its id.
    const sent = isRetry && signal.reason instanceof TaskEnded ? send() : retry(send, retries);
    try {
      const first = await unlessAborted(sent, signal);
      if (first.status === "success") return first;
      if (events.taskId !== first.task_id) onAccepted(first.task_id);
      return await poll(first.task_id);
    } catch (error) {
      if (signal.aborted) {
        if (signal.reason instanceof TaskEnded) background(cancelTask(deps, { sent, known: known.promise, call }));
        throw signal.reason;
      }
      const isLost = error instanceof ZoneError && error.kind === "task_not_found";
      if (!isLost || sending === mostSendings) throw error;
      onRetry(error, { attempt: sending + 1, waitMs: 0 });
    }
  }

  async function poll(task_id: string): Promise<TaskSucceeded> {
    const options = { ...call, signal, timeoutMs: times.pollWaitMs + times.callTimeoutMs };
    for (let quietPolls = 1; ; quietPolls += 1) {
      const { heard } = events;
      const asked = {
        task_id,
        wait_ms: times.pollWaitMs,
        seen_progress: events.revision,
        ...(events.seq > 0 && { since_seq: events.seq }),
      };
      const result = await retry(
        () => zone.call("get_async_task_result", asked, { ...options, onProgress: events.listen }),
        retries,
      );
      if (result.status === "success") return result;
      const isStreaming = events.heard > heard;
      const isNews = events.progressed(result.progress) || isStreaming;
      if (isNews) quietPolls = 0;
      const pauseMs = isStreaming ? streamPauseMs : progressPauseMs;
      await clock.sleep(isNews ? pauseMs : backoffMs(quietBackoff, quietPolls), signal);
    }
  }
}

interface Cancellation {
  readonly sent: Promise<ExecuteTaskResult>;
  /** Resolves when an event names the task. */
  readonly known: Promise<string>;
  readonly call: CallOptions;
}

/** Cancels a task as soon as its id is known, unless it has ended by then. Never rejects. */
async function cancelTask(
  { zone, onCancelFailed }: Pick<RunTaskDeps, "zone" | "onCancelFailed">,
  { sent, known, call }: Cancellation,
): Promise<void> {
  const accepted = sent.then((answer) => (answer.status === "accepted" ? answer.task_id : undefined));
  const taskId = await Promise.race([known, accepted.catch(() => undefined)]);
  if (taskId === undefined) return;
  await zone.call("cancel_task", { task_id: taskId }, call).catch(onCancelFailed);
}

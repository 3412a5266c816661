import {
  ZoneError,
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  type TaskSucceeded,
  type ZoneMethods,
} from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { unlessAborted } from "@crosszone/service-kit";
import type { Clock } from "../clock.ts";
import { backoffMs, retrying, type RetryOptions } from "./retry.ts";
import { TaskEnded } from "./running-tasks.ts";
import { createTaskEvents, type TaskViewer } from "./task-events.ts";
import { zonePatience } from "./zone-patience.ts";

export interface TaskTimes {
  /** How long one call may take, beside the time that it is asked to wait, milliseconds. */
  readonly callTimeoutMs: number;
  /** How long execution may hold back the answer to a poll, milliseconds. */
  readonly pollWaitMs: number;
  /** How long a call may be repeated, milliseconds. */
  readonly retryBudgetMs: number;
}

export interface RunTaskDeps extends TaskViewer {
  readonly zone: Client<ZoneMethods>;
  readonly clock: Clock;
  readonly times: TaskTimes;
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

/** The pause after a poll that brought events, milliseconds: there may be more of them already. */
const streamPauseMs = 50;

/** So often a task is sent, when the execution zone has lost it while it was polled. */
const mostSendings = 3;

/**
 * Has a task run in the execution zone and waits for its result. The id makes sending it again harmless: the zone finds the task that it
 * has, and only when it has lost it runs it anew. When `signal` aborts, rejects at once with its reason; a task that was ended
 * (`TaskEnded`) is canceled over there as soon as its id is known, any other is left to whoever asks for it next.
 */
export async function runTask(deps: RunTaskDeps, request: TaskRequest, signal: AbortSignal): Promise<TaskSucceeded> {
  const { zone, clock, times, onAccepted, onRetry, background, onCancelFailed } = deps;
  const { requestId, correlationId, params, again = false } = request;
  const call = { session: requestId, correlationId, timeoutMs: times.callTimeoutMs };
  const patience = zonePatience(times.retryBudgetMs, { clock, signal, onRetry });

  let events = createTaskEvents(deps);
  let known = Promise.withResolvers<string>();

  // Without the signal: only the answer, or an event, tells the id of the task that would have to be canceled.
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
    // What was ended before now is sent for the sake of its id too, if it may be over there.
    const sent = again && signal.reason instanceof TaskEnded ? send() : retrying(send, patience);
    try {
      const first = await unlessAborted(sent, signal);
      if (first.status === "success") return first;
      if (events.taskId !== first.task_id) onAccepted(first.task_id);
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
    for (let quietPolls = 1; ; quietPolls += 1) {
      const { heard } = events;
      const asked = {
        task_id,
        wait_ms: times.pollWaitMs,
        seen_progress: events.revision,
        ...(events.seq > 0 && { since_seq: events.seq }),
      };
      const result = await retrying(
        () => zone.call("get_async_task_result", asked, { ...options, onProgress: events.listen }),
        patience,
      );
      if (result.status === "success") return result;
      const isStreaming = events.heard > heard;
      const isNews = events.progressed(result.progress) || isStreaming;
      if (isNews) quietPolls = 0;
      const pauseMs = isStreaming ? streamPauseMs : progressPauseMs;
      await clock.sleep(isNews ? pauseMs : backoffMs(quietPolls, { firstMs: 200, longestMs: 2_000 }), signal);
    }
  }

  async function cancel(sent: Promise<ExecuteTaskResult>): Promise<void> {
    const accepted = sent.then((answer) => (answer.status === "accepted" ? answer.task_id : undefined));
    const taskId = await Promise.race([known.promise, accepted.catch(() => undefined)]);
    if (taskId === undefined) return;
    await zone.call("cancel_task", { task_id: taskId }, call).catch(onCancelFailed);
  }
}

import {
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  isTaskEvent,
  type TaskInputRequired,
  type TaskProgress,
  type TaskSucceeded,
  ZoneError,
} from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";
import { backoffMs, unlessAborted } from "@crosszone/service-kit/timing";
import { TaskEnded } from "../inbox/running-tasks.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { type QuestionAttempt, taskRetried } from "../showing/attempt.ts";

/** Shows what a running task has done so far: each newer progress, and all text of the answer. */
export interface TaskViewer {
  show(progress: TaskProgress): void;
  write(text: string): void;
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
 * Runs a question's task in execution and resolves with its result, or with what it waits for. Sending the same id again is harmless: execution
 * returns the task that it has, and starts it again only if it has lost it. When the task's signal aborts, rejects at once with its reason. A task
 * that was ended (`TaskEnded`) is then canceled in execution as soon as its id is known; any other task keeps running for the next attempt.
 */
export async function runTask(
  link: ZoneLink,
  attempt: QuestionAttempt,
  { params, viewer }: { readonly params: ExecuteTaskParams; readonly viewer: TaskViewer },
): Promise<TaskSucceeded | TaskInputRequired> {
  const { EXECUTION_TIMEOUT_MS: callMs, POLL_WAIT_MS: wait_ms } = link.limits;
  const { leased, task, emit } = attempt;
  const { request_id: id, correlation_id: correlationId } = leased.record;
  const { signal } = task;
  const call = { session: id, correlationId };
  const retries = { signal, onRetry: taskRetried(attempt) };
  const onAccepted = (task_id: string): void => {
    task.taskId = task_id;
    emit("task_accepted", { task_id });
  };
  let events = createTaskEvents(viewer, onAccepted);

  // Sent without the signal: only the result, or an event, has the id of the task to cancel.
  const send = (): Promise<ExecuteTaskResult> => {
    events = createTaskEvents(viewer, onAccepted);
    return link.call("execute_task", params, { ...call, id, onProgress: events.listen });
  };

  for (let sending = 1; ; sending += 1) {
    // A task that ended earlier is also sent again if execution may have it, to get its id.
    const sent = leased.attempt > 1 && signal.reason instanceof TaskEnded ? send() : link.retry(send, retries);
    try {
      const first = await unlessAborted(sent, signal);
      if (first.status === "success") return first;
      events.accepted(first.task_id);
      if (first.status === "input_required") return first;
      return await poll(first.task_id);
    } catch (error) {
      if (signal.aborted) {
        if (signal.reason instanceof TaskEnded) link.background(cancel(sent));
        throw signal.reason;
      }
      const isLost = error instanceof ZoneError && error.kind === "task_not_found";
      if (!isLost || sending === mostSendings) throw error;
      retries.onRetry(error, { attempt: sending + 1, waitMs: 0 });
    }
  }

  async function poll(task_id: string): Promise<TaskSucceeded | TaskInputRequired> {
    const options = { ...call, signal, timeoutMs: wait_ms + callMs };
    for (let quietPolls = 1; ; quietPolls += 1) {
      const { heard, revision, seq } = events.seen;
      const asked = { task_id, wait_ms, seen_progress: revision, since_seq: seq > 0 ? seq : undefined };
      const result = await link.retry(
        () => link.call("get_async_task_result", asked, { ...options, onProgress: events.listen }),
        retries,
      );
      if (result.status !== "working") return result;
      const isStreaming = events.seen.heard > heard;
      const isNews = events.progressed(result.progress) || isStreaming;
      if (isNews) quietPolls = 0;
      const pauseMs = isStreaming ? streamPauseMs : progressPauseMs;
      await link.clock.sleep(isNews ? pauseMs : backoffMs(quietBackoff, quietPolls), signal);
    }
  }

  /** Cancels the task as soon as its id is known, unless it has ended by then. Never rejects. */
  async function cancel(sent: Promise<ExecuteTaskResult>): Promise<void> {
    const accepted = sent.then((answer) => (answer.status === "success" ? undefined : answer.task_id));
    const task_id = await Promise.race([events.known, accepted.catch(() => undefined)]);
    if (task_id === undefined) return;
    await link.call("cancel_task", { task_id }, call).catch((failure: unknown) => {
      emit("task_cancel_failed", { task_id: task.taskId, operation: "cancel_task", failure });
    });
  }
}

/** Receives the events of one task, over any number of calls. Repeated text is replaced, and text after a gap is ignored. */
function createTaskEvents(viewer: TaskViewer, onAccepted: (taskId: string) => void) {
  /** The number of events received, that of the last event, and the revision of the last progress; 0 before the first. */
  const seen = { heard: 0, seq: 0, revision: 0 };
  const { promise: known, resolve } = Promise.withResolvers<string>();
  let knownId: string | undefined;
  let text = "";

  function accepted(taskId: string): void {
    if (knownId === taskId) return;
    knownId = taskId;
    resolve(taskId);
    onAccepted(taskId);
  }

  /** Reports progress unless an equal or newer one was reported before; returns true if it did. */
  function progressed(progress: TaskProgress | undefined): boolean {
    if (progress === undefined || progress.revision <= seen.revision) return false;
    seen.revision = progress.revision;
    viewer.show(progress);
    return true;
  }

  const listen: NonNullable<CallOptions["onProgress"]> = ({ method, params }) => {
    if (method !== "task_event" || !isTaskEvent(params)) return;
    seen.heard += 1;
    accepted(params.task_id);
    if (params.type === "text" && params.offset <= text.length) {
      text = text.slice(0, params.offset) + params.delta;
      viewer.write(text);
    }
    if (params.type === "progress") progressed(params.progress);
    seen.seq = params.seq;
  };

  /** `known` resolves with the task's id when execution has accepted it. */
  return { seen, known, accepted, progressed, listen };
}

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
  let events = new TaskEvents(viewer, onAccepted);

  // Sent without the signal: only the result, or an event, has the id of the task to cancel.
  const send = (): Promise<ExecuteTaskResult> => {
    events = new TaskEvents(viewer, onAccepted);
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
      const { heard, revision, seq } = events;
      const asked = { task_id, wait_ms, seen_progress: revision, since_seq: seq > 0 ? seq : undefined };
      const result = await link.retry(
        () => link.call("get_async_task_result", asked, { ...options, onProgress: events.listen }),
        retries,
      );
      if (result.status !== "working") return result;
      const isStreaming = events.heard > heard;
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

/** The events received for one task, over any number of calls. Repeated text is replaced, and text after a gap is ignored. */
class TaskEvents {
  /** Number of events received. */
  heard = 0;
  /** The number of the last event; 0 before the first. */
  seq = 0;
  /** The revision of the last progress; 0 before the first. */
  revision = 0;
  readonly #viewer: TaskViewer;
  readonly #onAccepted: (taskId: string) => void;
  readonly #known = Promise.withResolvers<string>();
  #taskId: string | undefined;
  #text = "";

  constructor(viewer: TaskViewer, onAccepted: (taskId: string) => void) {
    this.#viewer = viewer;
    this.#onAccepted = onAccepted;
  }

  /** Resolves with the task's id when execution has accepted it. */
  get known(): Promise<string> {
    return this.#known.promise;
  }

  accepted(taskId: string): void {
    if (this.#taskId === taskId) return;
    this.#taskId = taskId;
    this.#known.resolve(taskId);
    this.#onAccepted(taskId);
  }

  /** Reports progress unless an equal or newer one was reported before; returns true if it did. */
  progressed(progress: TaskProgress | undefined): boolean {
    if (progress === undefined || progress.revision <= this.revision) return false;
    this.revision = progress.revision;
    this.#viewer.show(progress);
    return true;
  }

  readonly listen: NonNullable<CallOptions["onProgress"]> = ({ method, params }) => {
    if (method !== "task_event" || !isTaskEvent(params)) return;
    this.heard += 1;
    this.accepted(params.task_id);
    if (params.type === "text" && params.offset <= this.#text.length) {
      this.#text = this.#text.slice(0, params.offset) + params.delta;
      this.#viewer.write(this.#text);
    }
    if (params.type === "progress") this.progressed(params.progress);
    this.seq = params.seq;
  };
}

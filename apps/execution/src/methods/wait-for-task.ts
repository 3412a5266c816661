import { notificationText } from "@crosszone/jsonrpc";
import { noLonger } from "@crosszone/service-kit/timing";
import type { AgentProgress } from "../agents/agent.ts";
import { copyProgress, createPreviewLog, type PreviewLog } from "../tasks/preview-log.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { Task } from "../tasks/task.ts";
import type { Notify } from "./request-context.ts";

interface WaitOptions {
  readonly runner: TaskRunner;
  /** Progress of the task's agent, when it has any. */
  readonly progress: AgentProgress | undefined;
  /** The longest wait, milliseconds. */
  readonly waitMs: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal | undefined;
  /** Called when the progress can't be read. Waiting continues. */
  readonly onFailed: (cause: unknown) => void;
}

/**
 * Wait for a caller that didn't say which progress it has, milliseconds. Short, so that it soon shows progress; not
 * zero, or it would poll without a pause.
 */
const unseenMs = 250;

/**
 * Waits until a task is final, has newer progress than the revision `seen` that the caller received, if any, or the wait is over. Returns the
 * task as it is then.
 */
export async function waitForNews(
  task: Task,
  { runner, progress, seen, waitMs, signal, onFailed }: WaitOptions & { readonly seen: number | undefined },
): Promise<Task> {
  if (progress === undefined || waitMs === 0) return runner.waitUntilSettled(task, waitMs, signal);
  if (seen === undefined) return runner.waitUntilSettled(task, Math.min(waitMs, unseenMs), signal);
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  progress.waitForNewer(task.task_id, seen, either).then(() => over.abort(noLonger), onFailed);
  try {
    return await runner.waitUntilSettled(task, waitMs, either);
  } finally {
    over.abort(noLonger);
  }
}

interface ShowUntilSettledOptions extends WaitOptions {
  /** The number of the last event that the caller received. */
  readonly sinceSeq: number;
  readonly notify: Notify;
}

/** Sends the events of a task until it has ended or waits for people, or the wait is over. Returns the task as it is then. */
export async function showUntilSettled(task: Task, options: ShowUntilSettledOptions): Promise<Task> {
  const { runner, progress, sinceSeq, waitMs, signal, onFailed } = options;
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const { task_id: taskId } = task;
  // A task in another process shows only its progress.
  const shown = runner.shownOf(taskId) ?? createPreviewLog(taskId, sinceSeq);
  const showing = show(shown, { ...options, signal: either });
  const copying = progress && copyProgress(progress, { taskId, to: shown, signal: either }).catch(onFailed);
  try {
    return await runner.waitUntilSettled(task, waitMs, signal);
  } finally {
    over.abort(noLonger);
    await Promise.all([showing, copying]);
  }
}

/** Sends all events, including those that exist when the signal aborts. */
async function show(
  shown: PreviewLog,
  { sinceSeq, notify, signal }: ShowUntilSettledOptions & { readonly signal: AbortSignal },
): Promise<void> {
  let seen = shown.seenWith(sinceSeq);
  let isOver = false;
  while (!isOver) {
    await shown.waitForNewer(seen, signal);
    isOver = signal.aborted;
    const news = shown.since(seen);
    seen = news.seen;
    for (const event of news.events) await notify(notificationText("task_event", event));
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { notificationText } from "@crosszone/jsonrpc";
import type { AgentProgress } from "../agents/agent.ts";
import { createPreviewLog, type PreviewLog } from "../tasks/preview-log.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { Task } from "../tasks/task.ts";
import type { Notify } from "./request-context.ts";

export interface ShowUntilFinalOptions {
  readonly runner: Pick<TaskRunner, "waitUntilFinal" | "shownOf">;
  /** Of an agent that tells how far its tasks are. */
  readonly progress: AgentProgress | undefined;
  /** The number of the last event that the caller has seen. */
  readonly sinceSeq: number;
  /** How long at the most, milliseconds. */
  readonly waitMs: number;
  readonly notify: Notify;
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal | undefined;
  /** Told that nobody could say how far the task is; the end is waited for all the same. */
  readonly onFailed: (cause: unknown) => void;
}

/** Between two looks at progress that was said to be newer and is not, milliseconds. */
const pauseMs = 250;

/** Tells what a task shows until it is final, or it was long enough; gives how it stands then. */
export async function showUntilFinal(task: Task, options: ShowUntilFinalOptions): Promise<Task> {
  const { runner, progress, sinceSeq, waitMs, notify, signal, onFailed } = options;
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const { task_id: taskId } = task;
  // What runs in another process shows its progress only.
  const shown = runner.shownOf(taskId) ?? createPreviewLog(taskId, sinceSeq);
  const showing = show(shown, { sinceSeq, notify, signal: either });
  const copying = progress && copyProgress(progress, { taskId, to: shown, signal: either }).catch(onFailed);
  try {
    return await runner.waitUntilFinal(task, waitMs, signal);
  } finally {
    over.abort();
    await Promise.all([showing, copying]);
  }
}

/** Tells all that is shown, to the end of what was shown when the signal aborts. */
async function show(
  shown: PreviewLog,
  { sinceSeq, notify, signal }: Pick<ShowUntilFinalOptions, "sinceSeq" | "notify"> & { readonly signal: AbortSignal },
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

async function copyProgress(
  progress: AgentProgress,
  { taskId, to, signal }: { readonly taskId: string; readonly to: PreviewLog; readonly signal: AbortSignal },
): Promise<void> {
  let seen = 0;
  while (!signal.aborted) {
    await progress.waitForNewer(taskId, seen, signal);
    const latest = await progress.read(taskId);
    if (latest !== undefined) to.showProgress(latest);
    if (latest !== undefined && latest.revision > seen) seen = latest.revision;
    else await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

import type { AgentProgress } from "../agents/agent.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { Task } from "../tasks/task.ts";

export interface WaitForNewsOptions {
  readonly runner: Pick<TaskRunner, "waitUntilFinal">;
  /** Progress of the task's agent, when it has any. */
  readonly progress: Pick<AgentProgress, "waitForNewer"> | undefined;
  /** The last revision of progress that the caller received, if any. */
  readonly seen: number | undefined;
  /** The longest wait, milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when newer progress can't be read. Waiting continues. */
  readonly onFailed: (cause: unknown) => void;
}

/**
 * Wait for a caller that didn't say which progress it has, milliseconds. Short, so that it soon shows progress; not
 * zero, or it would poll without a pause.
 */
const unseenMs = 250;

/** Waits until a task is final, has newer progress, or the wait is over. Returns the task as it is then. */
export async function waitForNews(
  task: Task,
  { runner, progress, seen, waitMs, signal, onFailed }: WaitForNewsOptions,
): Promise<Task> {
  if (progress === undefined || waitMs === 0) return runner.waitUntilFinal(task, waitMs, signal);
  if (seen === undefined) return runner.waitUntilFinal(task, Math.min(waitMs, unseenMs), signal);
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  progress.waitForNewer(task.task_id, seen, either).then(() => over.abort(), onFailed);
  try {
    return await runner.waitUntilFinal(task, waitMs, either);
  } finally {
    over.abort();
  }
}

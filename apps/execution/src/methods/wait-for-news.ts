import type { AgentProgress } from "../agents/agent.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { Task } from "../tasks/task.ts";

export interface WaitForNewsOptions {
  readonly runner: Pick<TaskRunner, "waitUntilFinal">;
  /** Of an agent that tells how far its tasks are. */
  readonly progress: Pick<AgentProgress, "waitForNewer"> | undefined;
  /** The revision of the progress that was seen last, if any was. */
  readonly seen: number | undefined;
  /** How long at the most, milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Told that nobody could say whether there is newer progress; the end is waited for all the same. */
  readonly onFailed: (cause: unknown) => void;
}

/**
 * How long who has not said what progress was seen is kept waiting, milliseconds: it is to be shown soon, and who never says it would ask
 * again and again without a pause.
 */
const unseenMs = 250;

/** Waits until a task is final, or further than was seen, or it was long enough; gives how it stands then. */
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

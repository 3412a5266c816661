import type { GetAsyncTaskResultParams, GetAsyncTaskResultResult } from "@crosszone/contracts";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import { retriedTask } from "../tasks/retried-task.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import { isFinal, type Task } from "../tasks/task.ts";
import { findTask, resultOf } from "./read-task.ts";
import type { RequestContext } from "./request-context.ts";
import { showUntilFinal, waitForNews } from "./wait-for-task.ts";

export interface GetAsyncTaskResultDeps {
  readonly agents: Pick<AgentDirectory, "resolve" | "defaultName">;
  readonly store: TaskStore;
  readonly runner: Pick<TaskRunner, "waitUntilFinal" | "shownOf">;
  /** The longest wait for a result, milliseconds. */
  readonly maxWaitMs: number;
  /** Called when the progress of a task can't be read. The request still succeeds. */
  readonly onProgressFailed: (task: Task, cause: unknown) => void;
}

/**
 * `get_async_task_result`: returns the task's result, or its progress while it runs, in whichever process. A failed
 * workflow whose run an operator retries is working again, and then has the run's new result.
 */
export async function getAsyncTaskResult(
  { agents, store, runner, maxWaitMs, onProgressFailed }: GetAsyncTaskResultDeps,
  { task_id, wait_ms = 0, seen_progress: seen, since_seq: sinceSeq = 0 }: GetAsyncTaskResultParams,
  { caller, signal, notify }: RequestContext,
): Promise<GetAsyncTaskResultResult> {
  const found = await findTask(store, task_id, caller);
  if (isFinal(found.state)) {
    const ended = await retriedTask(found, agents);
    return ended === "working" ? { status: "working", task_id } : resultOf(ended, agents.defaultName);
  }
  const onFailed = (cause: unknown): undefined => {
    onProgressFailed(found, cause);
  };

  const progress = (await agents.resolve(found.agent).catch(onFailed))?.progress;
  const waitMs = Math.min(wait_ms, maxWaitMs);
  const task = notify
    ? await showUntilFinal(found, { runner, progress, sinceSeq, waitMs, notify, signal, onFailed })
    : await waitForNews(found, { runner, progress, seen, waitMs, signal, onFailed });
  if (isFinal(task.state)) return resultOf(task, agents.defaultName);
  const here = runner.shownOf(task_id);
  const isHere = progress === undefined || here?.showsProgress === true;
  const shown = isHere ? here?.progress : await progress.read(task_id).catch(onFailed);
  return { status: "working", task_id, ...(shown && { progress: shown }) };
}

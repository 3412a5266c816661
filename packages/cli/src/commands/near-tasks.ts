import { isCorrelationId, type TaskRecord } from "@crosszone/contracts";
import { RefusedError } from "../api/api-failure.ts";
import type { TasksApi } from "../api/tasks-api.ts";
import { didYouMean } from "../arguments/near-names.ts";

/** How many tasks are searched for similar ids. */
const mostTasks = 200;

export interface FoundTask {
  readonly task: TaskRecord;
  /** Number of tasks with this reference. */
  readonly total: number;
}

/** Finds a task by its id, or the newest one with a reference that Slack shows. */
export async function findTask(tasks: TasksApi, name: string): Promise<FoundTask> {
  try {
    return { task: await tasks.get(name), total: 1 };
  } catch (error) {
    if (!(error instanceof RefusedError && error.kind === "task-not-found")) throw error;
    const found = await findByReference(tasks, name);
    if (found !== undefined) return found;
    error.message = await unknownTask(tasks, name);
    throw error;
  }
}

async function findByReference(tasks: TasksApi, reference: string): Promise<FoundTask | undefined> {
  if (!isCorrelationId(reference)) return undefined;
  const { tasks: found, total } = await tasks.list({ correlation_id: reference, limit: 1, offset: 0 });
  const [newest] = found;
  return newest && { task: await tasks.get(newest.task_id), total };
}

async function unknownTask(tasks: TasksApi, name: string): Promise<string> {
  const { tasks: known } = await tasks.list({ limit: mostTasks, offset: 0 });
  const names = new Set(known.flatMap(({ task_id, correlation_id }) => [correlation_id, task_id]));
  const near = didYouMean(name, [...names]);
  return `No task has the id or reference "${name}".${near || " crosszone tasks lists them."}`;
}

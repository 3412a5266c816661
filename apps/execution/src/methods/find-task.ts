import { ZoneError } from "@crosszone/contracts";
import type { TaskStore } from "../tasks/task-store.ts";
import type { Task } from "../tasks/task.ts";

/** Returns the caller's own task. Throws `task_not_found` for an unknown task and for another caller's. */
export async function findTask(store: TaskStore, taskId: string, caller: string): Promise<Task> {
  const task = await store.get(taskId);
  if (task?.caller !== caller) throw new ZoneError("task_not_found", { task_id: taskId });
  return task;
}

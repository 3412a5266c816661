import type { OpenedTaskStore } from "../tasks/sql/open-task-store.ts";
import { taskKind } from "../tasks/task-store.ts";
import type { LeasedTask, RecoveredTask } from "../tasks/task.ts";

/** Leases tasks that no process holds, as a process's worker does. */
export async function takeTasks(
  { store, jobs }: Pick<OpenedTaskStore, "store" | "jobs">,
  most = 10,
): Promise<readonly RecoveredTask[]> {
  return (await jobs.store.take([{ share: taskKind, most }])).map((job) => store.recoveredTask(job));
}

/** Makes a task ready for any process. `counted`: whether its attempt counts, as after a crash. */
export const releaseTask = (
  { jobs }: Pick<OpenedTaskStore, "jobs">,
  { task, attempt }: LeasedTask,
  { counted } = { counted: false },
): Promise<void> => jobs.store.release([{ id: task.task_id, attempt }], { counted });

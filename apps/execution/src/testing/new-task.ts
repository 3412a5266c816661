import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import type { OpenedTaskStore, TaskStore } from "../tasks/store/task-store.ts";
import {
  type LeasedTask,
  type NewTask,
  type OpenTask,
  type Task,
  type TaskEnd,
  taskKind,
  type TaskOutcome,
} from "../tasks/task.ts";

/** A task of a lease, as tests name it. */
export interface HeldTask {
  readonly task: OpenTask;
  readonly attempt: number;
}

/** Leases free tasks, as a process's worker does. */
export async function takeTasks(
  { store, jobs }: Pick<OpenedTaskStore, "store" | "jobs">,
  most = 10,
): Promise<readonly LeasedTask[]> {
  return (await jobs.store.take([{ share: taskKind, most }])).map((job) => store.recoveredTask(job));
}

/** Ends a leased task, as a process's worker does. Returns undefined when this process no longer holds the lease. */
export async function endTask(
  { store, jobs }: Pick<OpenedTaskStore, "store" | "jobs">,
  { task, attempt }: HeldTask,
  end: TaskEnd = { state: "success", outcome: succeeded() },
): Promise<Task | undefined> {
  const { task: ended, ending } = store.endOf(task, end);
  const [isEnded] = await jobs.store.end([{ leaseId: { id: task.task_id, attempt }, end: ending.end }], ending.also);
  return isEnded === true ? ended : undefined;
}

/** Makes a task ready for any process. */
export const releaseTask = (
  { jobs }: Pick<OpenedTaskStore, "jobs">,
  { task, attempt }: HeldTask,
): Promise<readonly boolean[]> => jobs.store.release([{ id: task.task_id, attempt }], { counted: false });

/** A vault with a new key. */
export const newVault = (id = "k") => createVault([{ id, key: createSecretKey(randomBytes(32)) }]);

export const newTask = (members: Partial<NewTask> = {}): NewTask => ({
  task_id: randomUUID(),
  caller: "verification",
  key: '"0b6c8a4e-5f5e-4b1e-9d0c-3a1f6f1f0c11"',
  fingerprint: "print",
  correlation_id: "c-1",
  agent: "builtin",
  params: { channel: "C1", text: "hi" },
  deadline_ms: 60_000,
  ...members,
});

export const succeeded = (text = "done"): TaskOutcome => ({ answer: { status: "success", response_text: text } });
export const canceled: TaskOutcome = { error: { kind: "canceled", data: {} } };

/** Creates a task that is leased to this store's process. */
export async function leasedTask(store: TaskStore, members: Partial<NewTask> = {}): Promise<HeldTask> {
  const fresh = newTask({ key: `"${randomUUID()}"`, ...members });
  const { task } = await store.create(fresh);
  return { task: { ...task, params: fresh.params }, attempt: 1 };
}

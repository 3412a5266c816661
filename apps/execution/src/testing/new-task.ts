import { randomUUID } from "node:crypto";
import type { TaskStore } from "../tasks/task-store.ts";
import type { LeasedTask, NewTask, TaskOutcome } from "../tasks/task.ts";

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

/** A task leased to this store's process. */
export async function heldTask(store: TaskStore, members: Partial<NewTask> = {}): Promise<LeasedTask> {
  const fresh = newTask({ key: `"${randomUUID()}"`, ...members });
  const { task } = await store.create(fresh);
  return { task: { ...task, params: fresh.params }, attempt: 1 };
}

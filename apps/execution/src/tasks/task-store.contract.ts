import { describe, expect, test } from "vitest";
import type { TaskStore } from "./task-store.ts";
import type { NewTask, TaskOutcome } from "./task.ts";

export const newTask = (members: Partial<NewTask> = {}): NewTask => ({
  caller: "verification",
  key: '"0b6c8a4e-5f5e-4b1e-9d0c-3a1f6f1f0c11"',
  fingerprint: "print",
  correlation_id: "c-1",
  agent: "builtin",
  params: { channel: "C1", text: "hi" },
  created_at: 1_000,
  deadline_at: 61_000,
  ...members,
});

export const succeeded = (text = "done"): TaskOutcome => ({ answer: { status: "success", response_text: text } });

/** What every task store does, whatever it keeps tasks in. */
export function taskStoreContract(name: string, make: () => Promise<TaskStore>): void {
  describe(`${name} keeps the task store's contract`, () => {
    test("Z9: one key of one caller makes one task, also when asked at the same time", async () => {
      const store = await make();
      const made = await Promise.all(Array.from({ length: 20 }, () => store.create(newTask())));
      expect(new Set(made.map(({ task }) => task.task_id)).size).toBe(1);
      expect(made.filter(({ created }) => created)).toHaveLength(1);
      expect(await store.findByKey("verification", newTask().key)).toEqual(made[0]?.task);
    });

    test("the same key of another caller is another task", async () => {
      const store = await make();
      const [mine, theirs] = [await store.create(newTask()), await store.create(newTask({ caller: "somebody" }))];
      expect(theirs.created).toBe(true);
      expect(theirs.task.task_id).not.toBe(mine.task.task_id);
      expect(await store.findByKey("nobody", newTask().key)).toBeUndefined();
    });

    test("a new task is submitted and reads back as it was given", async () => {
      const store = await make();
      const { task } = await store.create(newTask());
      expect(await store.get(task.task_id)).toEqual({ ...newTask(), task_id: task.task_id, state: "submitted" });
      expect(await store.get("no-such-task")).toBeUndefined();
    });

    test("of two that end one task the first wins, and its outcome stays", async () => {
      const store = await make();
      const { task } = await store.create(newTask());
      await store.move(task.task_id, "working");
      const ends = await Promise.allSettled([
        store.move(task.task_id, "success", succeeded()),
        store.move(task.task_id, "canceled", { error: { kind: "canceled", data: {} } }),
      ]);
      expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
      expect((ends[1] as PromiseRejectedResult).reason).toMatchObject({ kind: "invalid_state_transition" });
      expect(await store.get(task.task_id)).toMatchObject({ state: "success", outcome: succeeded() });
    });

    test("a task that has ended no longer has what was asked, which may be large", async () => {
      const store = await make();
      const { task } = await store.create(newTask());
      expect(await store.move(task.task_id, "working")).toMatchObject({ params: newTask().params });
      await store.move(task.task_id, "success", succeeded());
      expect(await store.get(task.task_id)).not.toHaveProperty("params");
    });

    test("moving a task that is not there is task_not_found", async () => {
      const store = await make();
      await expect(store.move("no-such-task", "working")).rejects.toMatchObject({ kind: "task_not_found" });
    });

    test("waiting ends when the task does, for every waiter", async () => {
      const store = await make();
      const { task } = await store.create(newTask());
      await store.move(task.task_id, "working");
      const waiting = Promise.all([1, 2, 3].map(() => store.waitUntilFinal(task.task_id, 10_000)));
      await store.move(task.task_id, "success", succeeded());
      expect((await waiting).map((found) => found?.state)).toEqual(["success", "success", "success"]);
    });

    test("waiting ends after its time, or at its signal, with the task as it stands", async () => {
      const store = await make();
      const { task } = await store.create(newTask());
      await store.move(task.task_id, "working");
      expect(await store.waitUntilFinal(task.task_id, 20)).toMatchObject({ state: "working" });
      expect(await store.waitUntilFinal(task.task_id, 10_000, AbortSignal.timeout(20))).toMatchObject({
        state: "working",
      });
      expect(await store.waitUntilFinal(task.task_id, 10_000, AbortSignal.abort())).toMatchObject({ state: "working" });
      expect(await store.waitUntilFinal("no-such-task", 10_000)).toBeUndefined();
    });
  });
}

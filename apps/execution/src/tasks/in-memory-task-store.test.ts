import { expect, test } from "vitest";
import { createInMemoryTaskStore } from "./in-memory-task-store.ts";
import { newTask, succeeded, taskStoreContract } from "./task-store.contract.ts";

taskStoreContract("the in-memory task store", async () =>
  createInMemoryTaskStore({ now: () => 1_000, retentionMs: 60_000, maxFinished: 100 }),
);

test("a finished task can be asked for until its retention is over; an open one is never forgotten", async () => {
  let now = 1_000;
  const store = createInMemoryTaskStore({ now: () => now, retentionMs: 60_000, maxFinished: 100 });
  const { task: done } = await store.create(newTask({ key: "1" }));
  const { task: open } = await store.create(newTask({ key: "2" }));
  await store.move(done.task_id, "working");
  await store.move(done.task_id, "success", succeeded());
  now += 60_000;
  expect(await store.get(done.task_id)).toBeDefined();
  now += 1;
  expect(await store.get(done.task_id)).toBeUndefined();
  expect(await store.findByKey("verification", "1")).toBeUndefined();
  expect(await store.get(open.task_id)).toBeDefined();
});

test("memory stays bounded: of many finished tasks the newest are kept", async () => {
  const store = createInMemoryTaskStore({ now: () => 1_000, retentionMs: 60_000, maxFinished: 3 });
  const ids: string[] = [];
  for (let key = 0; key < 10; key++) {
    const { task } = await store.create(newTask({ key: String(key) }));
    await store.move(task.task_id, "working");
    await store.move(task.task_id, "success", succeeded());
    ids.push(task.task_id);
  }
  const kept = await Promise.all(ids.map(async (id) => (await store.get(id)) !== undefined));
  expect(kept).toEqual([false, false, false, false, false, false, false, true, true, true]);
});

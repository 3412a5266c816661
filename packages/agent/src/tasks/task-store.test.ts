import { expect, test } from "vitest";
import { createRunningTask, type RunningTask } from "./running-task.ts";
import { createTaskRecord } from "./task-record.ts";
import { createTaskStore } from "./task-store.ts";

const newTask = (size: number, owner = ""): RunningTask => {
  const record = Object.assign(createTaskRecord({ contextId: "c", owner }), { size, receivedSize: size });
  return createRunningTask(record, { taskTimeoutMs: 60_000, questionTimeoutMs: 60_000 });
};

test("ended tasks and their messages are dropped, oldest first, when all take more than 64 MiB", () => {
  const store = createTaskStore(100);
  const tasks = [0, 1, 2, 3].map(() => newTask(10 * 1024 * 1024));
  for (const [at, task] of tasks.entries()) {
    store.add(task);
    store.addMessage({ owner: "", id: `m${at}` }, task);
    if (at > 0) task.complete("");
  }
  store.makeRoom();
  const isKept = ({ record }: RunningTask): boolean => store.find({ owner: "", id: record.id }) !== undefined;
  expect(tasks.map(isKept)).toEqual([true, false, true, true]);
  expect(store.ofMessage({ owner: "", id: "m1" })).toBeUndefined();
  expect(store.ofMessage({ owner: "", id: "m2" })).toBe(tasks[2]);
});

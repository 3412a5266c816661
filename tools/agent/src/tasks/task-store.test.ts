import { expect, test } from "vitest";
import { createRunningTask, type RunningTask } from "./running-task.ts";
import { addArtifact, createTaskReader, createTaskRecord, setStatus } from "./task-record.ts";
import { createTaskStore } from "./task-service.ts";

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

test("a reader that falls behind gets whole artifacts and the latest status; others get every event", async () => {
  const record = createTaskRecord({ contextId: "c", owner: "" });
  const slow = createTaskReader(record);
  const fast = createTaskReader(record);
  await fast.next();
  const received: string[] = [];
  for (let i = 0; i < 5_000; i++) {
    addArtifact(record, { artifactId: "answer", parts: [{ text: `${i} ` }] }, { isLast: false });
    received.push(JSON.stringify(await fast.next()));
  }
  expect(record.log.events.length).toBeLessThanOrEqual(1_000);
  expect(received.every((event, i) => event.includes(`"text":"${i} "`))).toBe(true);
  expect(await slow.next()).toMatchObject({ task: { status: { state: "TASK_STATE_WORKING" } } });
  const whole = await slow.next();
  expect(whole).toMatchObject({ artifactUpdate: { append: false } });
  expect(JSON.stringify(whole)).toMatch(/"text":"0 1 .* 4999 "/);
  expect(await slow.next()).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_WORKING" } } });
  setStatus(record, "TASK_STATE_COMPLETED");
  expect(await slow.next()).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  expect(await slow.next()).toBeUndefined();
});

import { expect, test } from "vitest";
import { createEventReader } from "./running-task.ts";
import { addArtifact, createTaskRecord, setStatus } from "./task-record.ts";

test("a reader that falls behind gets whole artifacts and the latest status; others get every event", async () => {
  const record = createTaskRecord({ contextId: "c", owner: "" });
  const slow = createEventReader(record);
  const fast = createEventReader(record);
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

test("a closed reader ends and is dropped", async () => {
  const record = createTaskRecord({ contextId: "c", owner: "" });
  const reader = createEventReader(record);
  await reader.next();
  const next = reader.next();
  expect(record.waiters.size).toBe(1);
  reader.close();
  expect(await next).toBeUndefined();
  expect(record.waiters.size).toBe(0);
});

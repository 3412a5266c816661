import { expect, onTestFinished, test, vi } from "vitest";
import { createTasks } from "./a2a-tasks.ts";

/** Stops the clock until the test advances it. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("a task runs for its duration and then has its answer; a repeated message returns the same task", () => {
  stopClock();
  const tasks = createTasks((text) => text.toUpperCase());
  const { id, status } = tasks.begin("m1", { text: "hello", contextId: "c", takesMs: 100 });
  expect(status.state).toBe("working");
  vi.advanceTimersByTime(99);
  expect(tasks.get(id)).toMatchObject({ status: { state: "working" } });
  vi.advanceTimersByTime(1);
  expect(tasks.get(id)).toMatchObject({ status: { state: "completed" }, artifacts: [{ parts: [{ text: "HELLO" }] }] });
  expect(tasks.begin("m1", { text: "hello", contextId: "c", takesMs: 100 })).toMatchObject({
    id,
    status: { state: "completed" },
  });
  expect(tasks.cancel(id)).toBeUndefined();
});

test("a canceled task stays canceled; an unknown task is undefined", () => {
  stopClock();
  const tasks = createTasks((text) => text);
  const { id } = tasks.begin("m1", { text: "hello", contextId: "c", takesMs: 100 });
  expect(tasks.cancel(id)).toMatchObject({ id, status: { state: "canceled" } });
  vi.advanceTimersByTime(1_000);
  expect(tasks.get(id)).toMatchObject({ status: { state: "canceled" } });
  expect([tasks.get("other"), tasks.cancel(7), tasks.get(undefined)]).toEqual([undefined, undefined, undefined]);
});

test("the oldest of more than 1,000 tasks are deleted", () => {
  const tasks = createTasks((text) => text);
  const [first, ...others] = Array.from({ length: 1_001 }, (_, n) =>
    tasks.begin(`m${n}`, { text: "", contextId: "c", takesMs: 0 }),
  );
  expect(tasks.get(first?.id)).toBeUndefined();
  expect(tasks.get(others[0]?.id)).toBeDefined();
});

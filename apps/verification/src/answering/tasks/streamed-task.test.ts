import { ZoneError, type TaskEvent } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../time/clock.ts";
import { createScriptedZone, type ScriptedZone } from "../../testing/scripted-zone.ts";
import { runTask, type TaskRequest } from "./run-task.ts";
import { TaskEnded } from "./running-tasks.ts";

const task_id = "task-12345678";
const request: TaskRequest = {
  requestId: "3a1f0a52-6c1e-4f1a-9a68-0d1c2b3a4f5e",
  correlationId: "corr-1",
  params: { channel: "C1", text: "hi", bot_token: "czh_x" },
};
const accepted: TaskEvent = { type: "accepted", task_id, seq: 0 };
const text = (seq: number, offset: number, delta: string): TaskEvent => ({ type: "text", task_id, seq, offset, delta });

function run(zone: ScriptedZone, signal = new AbortController().signal) {
  const told: string[] = [];
  const answer = runTask(
    {
      zone: zone.zone,
      clock: systemClock,
      times: { callTimeoutMs: 1_000, pollWaitMs: 25, retryBudgetMs: 3_000 },
      onAccepted: (id) => told.push(`accepted ${id}`),
      onProgress: ({ revision }) => told.push(`progress ${revision}`),
      onText: (shown) => told.push(shown),
      onRetry: () => told.push("retry"),
      onCancelFailed: () => told.push("cancel failed"),
      background: () => undefined,
    },
    request,
    signal,
  );
  return { answer, told };
}

test("T1: text is reported as it grows, and polls continue after the last event", async () => {
  const zone = createScriptedZone();
  zone.on("execute_task", (_, { show }) => {
    for (const event of [accepted, text(1, 0, "One "), text(4, 4, "two ")]) show(event);
    return { status: "accepted", task_id };
  });
  zone.on("get_async_task_result", (_, { show }) => {
    show(text(5, 8, "three"));
    return { status: "success", response_text: "One two three" };
  });
  const { answer, told } = run(zone);
  expect((await answer).response_text).toBe("One two three");
  expect(told).toEqual([`accepted ${task_id}`, "One ", "One two ", "One two three"]);
  expect(zone.of("get_async_task_result")[0]?.params).toMatchObject({ since_seq: 4 });
});

test("T3: a repeated event is shown once, and another run of the task restarts the text", async () => {
  const zone = createScriptedZone();
  zone.on("execute_task", (_, { show }) => {
    for (const event of [accepted, text(1, 0, "One two "), text(2, 4, "two three ")]) show(event);
    show(text(3, 99, "lost"));
    show(text(1_000_000_001, 0, "Again "));
    return { status: "success", response_text: "Again" };
  });
  const { answer, told } = run(zone);
  await answer;
  expect(told.slice(1)).toEqual(["One two ", "One two three ", "Again "]);
});

test("T3: a broken stream is requested again with the same id", async () => {
  const zone = createScriptedZone();
  let broken = false;
  zone.on("execute_task", (_, { show }) => {
    show(accepted);
    show(text(1, 0, "One "));
    if (broken) return { status: "success", response_text: "One" };
    broken = true;
    throw new ZoneError("shutting_down", { retry_after_ms: 5 });
  });
  const { answer, told } = run(zone);
  expect((await answer).response_text).toBe("One");
  expect(told).toEqual([`accepted ${task_id}`, "One ", "retry", `accepted ${task_id}`, "One "]);
  expect(new Set(zone.of("execute_task").map(({ id }) => id)).size).toBe(1);
});

test("T5: a stopped task is canceled by the id from its first event, before the answer", async () => {
  const zone = createScriptedZone();
  const { promise: never } = Promise.withResolvers<never>();
  zone.on("execute_task", (_, { show }) => {
    show(accepted);
    return never;
  });
  const stopping = new AbortController();
  const { answer, told } = run(zone, stopping.signal);
  await vi.waitFor(() => expect(told).toHaveLength(1));
  stopping.abort(new TaskEnded("stopped"));
  await expect(answer).rejects.toThrow(TaskEnded);
  await vi.waitFor(() => expect(zone.of("cancel_task")[0]?.params).toEqual({ task_id }));
});

import { setTimeout as delay } from "node:timers/promises";
import { ZoneError } from "@crosszone/contracts";
import { createTracer } from "@crosszone/service-kit/tracing";
import { expect, test, vi } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createInMemoryTaskStore } from "./in-memory-task-store.ts";
import type { LendFiles } from "./lend-files.ts";
import { createTaskRunner, type TaskObserver, type TaskRunner } from "./task-runner.ts";
import type { TaskStore } from "./task-store.ts";
import { newTask } from "./task-store.contract.ts";
import type { Task } from "./task.ts";

const agentThat = (run: Agent["run"]): Agent => ({ name: "builtin", description: "", skills: [], run });
const never = agentThat(() => new Promise(() => {}));

function setUp({ maxRunning = 10 } = {}) {
  const store = createInMemoryTaskStore({ now: Date.now, retentionMs: 60_000, maxFinished: 100 });
  const observer = {
    started: vi.fn<TaskObserver["started"]>(),
    ended: vi.fn<TaskObserver["ended"]>(),
    lost: vi.fn<TaskObserver["lost"]>(),
  };
  const leases: Parameters<LendFiles>[0][] = [];
  const lendFiles: LendFiles = (lease) => {
    leases.push(lease);
    return async (id) => new TextEncoder().encode(`${lease.handle} opens ${id}`);
  };
  const tracer = createTracer();
  const runner = createTaskRunner({ store, now: () => new Date(), maxRunning, lendFiles, observer, tracer });
  return { store, observer, runner, leases };
}

async function start(
  { store, runner }: { store: TaskStore; runner: TaskRunner },
  agent: Agent,
  deadlineMs = 5_000,
): Promise<Task> {
  const { task } = await store.create(newTask({ key: String(Math.random()), deadline_at: Date.now() + deadlineMs }));
  runner.start({ ...task, params: newTask().params }, agent, "the-handle");
  return task;
}

test("an answer ends the task as success, with the agent's own members kept", async () => {
  const zone = setUp();
  const task = await start(
    zone,
    agentThat(async () => ({ response_text: "4", confidence: 1 })),
  );
  expect(await zone.store.waitUntilFinal(task.task_id, 1_000)).toMatchObject({
    state: "success",
    outcome: {
      answer: { status: "success", response_text: "4", confidence: 1, agent: "builtin", task_id: task.task_id },
    },
  });
});

test("Z7: a task past its deadline is timed out, whether or not the agent listens to its signal", async () => {
  const zone = setUp();
  const task = await start(zone, never, 30);
  expect(await zone.store.waitUntilFinal(task.task_id, 1_000)).toMatchObject({
    state: "timed_out",
    outcome: { error: { kind: "timeout", data: { correlation_id: "c-1", task_id: task.task_id } } },
  });
});

test("E5: an agent's throw is internal to the asker and told once, with its cause, to the observer", async () => {
  const zone = setUp();
  const cause = new Error("password=hunter2");
  const task = await start(
    zone,
    agentThat(async () => Promise.reject(cause)),
  );
  const ended = await zone.store.waitUntilFinal(task.task_id, 1_000);
  expect(ended).toMatchObject({ state: "error", outcome: { error: { kind: "internal" } } });
  expect(JSON.stringify(ended?.outcome)).not.toContain("hunter2");
  await vi.waitFor(() => expect(zone.observer.ended).toHaveBeenCalledTimes(1));
  expect(zone.observer.ended.mock.calls[0]?.[1]).toMatchObject({ kind: "internal", cause });
});

test("an agent's ZoneError keeps its kind; an answer without text is agent_invalid_response", async () => {
  const zone = setUp();
  const failed = await start(
    zone,
    agentThat(async () => Promise.reject(new ZoneError("agent_failed"))),
  );
  const empty = await start(
    zone,
    agentThat(async () => ({}) as never),
  );
  expect(await zone.store.waitUntilFinal(failed.task_id, 1_000)).toMatchObject({
    outcome: { error: { kind: "agent_failed" } },
  });
  expect(await zone.store.waitUntilFinal(empty.task_id, 1_000)).toMatchObject({
    outcome: { error: { kind: "agent_invalid_response" } },
  });
});

test("a cancel aborts the agent's work and wins over what the agent says later", async () => {
  const zone = setUp();
  let aborted = false;
  const stubborn = agentThat(async (_input, { signal }) => {
    signal.addEventListener("abort", () => (aborted = true));
    await delay(60);
    return { response_text: "too late" };
  });
  const task = await start(zone, stubborn);
  await delay(10);
  expect(await zone.runner.cancel(task.task_id)).toMatchObject({ state: "canceled" });
  expect(aborted).toBe(true);
  await delay(100);
  expect(await zone.store.get(task.task_id)).toMatchObject({ state: "canceled" });
  expect(zone.observer.lost).not.toHaveBeenCalled();
});

test("canceling an ended task is refused, an unknown one is not found", async () => {
  const zone = setUp();
  const task = await start(
    zone,
    agentThat(async () => ({ response_text: "done" })),
  );
  await zone.store.waitUntilFinal(task.task_id, 1_000);
  await expect(zone.runner.cancel(task.task_id)).rejects.toMatchObject({ kind: "invalid_state_transition" });
  await expect(zone.runner.cancel("no-such-task")).rejects.toMatchObject({ kind: "task_not_found" });
});

test("more tasks than there is room for are refused with a wait", async () => {
  const zone = setUp({ maxRunning: 1 });
  zone.runner.assertRoom();
  const task = await start(zone, never);
  expect(() => zone.runner.assertRoom()).toThrow(
    expect.objectContaining({ kind: "rate_limited", data: { retry_after_ms: 1_000 } }),
  );
  await zone.runner.cancel(task.task_id);
  await vi.waitFor(() => expect(zone.runner.running).toBe(0));
  zone.runner.assertRoom();
});

test("stopping lets running tasks end, then ends what is left; nothing stays working", async () => {
  const zone = setUp();
  const quick = await start(
    zone,
    agentThat(async () => (await delay(30), { response_text: "made it" })),
  );
  const stuck = await start(zone, never);
  await zone.runner.stop(80);
  expect(await zone.store.get(quick.task_id)).toMatchObject({ state: "success" });
  expect(await zone.store.get(stuck.task_id)).toMatchObject({
    state: "error",
    outcome: { error: { kind: "shutting_down" } },
  });
  expect(() => zone.runner.assertRoom()).toThrow(expect.objectContaining({ kind: "shutting_down" }));
});

test("an agent reads files with the handle of its task, and never sees it", async () => {
  const zone = setUp();
  const inputs: unknown[] = [];
  const task = await start(
    zone,
    agentThat(async (input, { readFile }) => {
      inputs.push(input);
      return { response_text: new TextDecoder().decode(await readFile("F1")) };
    }),
  );
  expect(await zone.store.waitUntilFinal(task.task_id, 1_000)).toMatchObject({
    outcome: { answer: { response_text: "the-handle opens F1" } },
  });
  expect(JSON.stringify(inputs)).not.toContain("the-handle");
});

test.each([
  ["success", agentThat(async () => ({ response_text: "" })), 5_000],
  ["error", agentThat(async () => Promise.reject(new Error("no"))), 5_000],
  ["timed_out", never, 30],
  ["canceled", never, 5_000],
])("S14: the way to the files ends with the task: %s", async (state, agent, deadlineMs) => {
  const zone = setUp();
  const task = await start(zone, agent, deadlineMs);
  if (state === "canceled") await zone.runner.cancel(task.task_id);
  expect(await zone.store.waitUntilFinal(task.task_id, 1_000)).toMatchObject({ state });
  await vi.waitFor(() => expect(zone.leases.map(({ signal }) => signal.aborted)).toEqual([true]));
});

import { ZoneError } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import type { Agent, ReadFile } from "../agents/agent.ts";
import { startRunner } from "../testing/start-runner.ts";
import { agentThat as namedAgent } from "../testing/start-zone.ts";

const agentThat = (run: Agent["run"]): Agent => namedAgent(run, "builtin");
const never = agentThat(() => new Promise(() => {}));
const start = (agent: Agent, options = {}) => startRunner({ agents: [agent], ...options });

test("an answer ends the task as success, with the agent's own members kept", async () => {
  const { submit, runner, store } = await start(agentThat(async () => ({ response_text: "4", confidence: 1 })));
  const task = await submit();
  const ended = await runner.waitUntilSettled(task, 60_000);
  expect(ended).toMatchObject({
    state: "success",
    outcome: {
      answer: { status: "success", response_text: "4", confidence: 1, agent: "builtin", task_id: task.task_id },
    },
  });
  expect(await store.get(task.task_id)).toEqual(ended);
});

test("Z7: a task past its deadline is timed out, even if the agent ignores its signal", async () => {
  const { submit, runner } = await start(never);
  const task = await submit({ deadline_ms: 30 });
  expect(await runner.waitUntilSettled(task, 60_000)).toMatchObject({
    state: "timed_out",
    outcome: { error: { kind: "timeout", data: { correlation_id: "c-1", task_id: task.task_id } } },
  });
});

test("E5: an agent's exception is internal to the caller and reported once, with its cause", async () => {
  const cause = new Error("password=hunter2");
  const { submit, runner, events } = await start(agentThat(async () => Promise.reject(cause)));
  const ended = await runner.waitUntilSettled(await submit(), 60_000);
  expect(ended).toMatchObject({ state: "error", outcome: { error: { kind: "internal" } } });
  expect(JSON.stringify(ended.outcome)).not.toContain("hunter2");
  await vi.waitFor(() => expect(events("task_failed")).toMatchObject([{ kind: "internal", cause }]));
});

test("an agent's ZoneError keeps its kind; an answer without text is agent_invalid_response", async () => {
  const failing = await start(agentThat(async () => Promise.reject(new ZoneError("agent_failed"))));
  const empty = await start(agentThat(async () => ({}) as never));
  expect(await failing.runner.waitUntilSettled(await failing.submit(), 60_000)).toMatchObject({
    outcome: { error: { kind: "agent_failed" } },
  });
  expect(await empty.runner.waitUntilSettled(await empty.submit(), 60_000)).toMatchObject({
    outcome: { error: { kind: "agent_invalid_response" } },
  });
});

test("B12: a cancel aborts the agent's work and takes precedence over a later answer", async () => {
  const aborted = Promise.withResolvers<void>();
  const said = Promise.withResolvers<void>();
  const stubborn = agentThat(async (_input, { signal }) => {
    signal.addEventListener("abort", () => aborted.resolve());
    await said.promise;
    return { response_text: "too late" };
  });
  const { submit, runner, store, events } = await start(stubborn);
  const task = await submit();
  expect(await runner.cancel(task)).toMatchObject({ state: "canceled" });
  await aborted.promise;
  said.resolve();
  await vi.waitFor(() => expect(runner.running()).toBe(0));
  expect(await store.get(task.task_id)).toMatchObject({ state: "canceled" });
  expect(events("task_lost")).toEqual([]);
  expect(events("task_ended")).toMatchObject([
    { state: "canceled", kind: "canceled", duration_ms: expect.any(Number) },
  ]);
});

test("tasks beyond the limit are refused with a wait, even concurrent ones; a known task is not", async () => {
  const { submit, runner } = await start(never, { maxRunning: 3 });
  const made = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => submit({ key: `"${at}"` })));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(made[3]).toMatchObject({ reason: { kind: "rate_limited", data: { retry_after_ms: 1_000 } } });
  const task = await submit({ key: '"0"' });
  await runner.cancel(task);
  expect(runner.running()).toBe(2);
  await vi.waitFor(() => submit());
});

test("a wait returns the task's state after its time, at its signal, or when the task ends", async () => {
  const answer = Promise.withResolvers<{ response_text: string }>();
  const { submit, runner } = await start(agentThat(() => answer.promise));
  const task = await submit();
  expect(await runner.waitUntilSettled(task, 0)).toBe(task);
  expect(await runner.waitUntilSettled(task, 20)).toBe(task);
  expect(await runner.waitUntilSettled(task, 60_000, AbortSignal.timeout(20))).toBe(task);
  expect(await runner.waitUntilSettled(task, 60_000, AbortSignal.abort())).toBe(task);
  const waiting = Promise.all([1, 2, 3].map(() => runner.waitUntilSettled(task, 60_000)));
  answer.resolve({ response_text: "done" });
  expect((await waiting).map(({ state }) => state)).toEqual(["success", "success", "success"]);
  // A caller that read the task before it ended, and waits after that.
  expect(await runner.waitUntilSettled(task, 60_000)).toMatchObject({ state: "success" });
});

test("an agent reads files with the handle of its task, and never sees the handle", async () => {
  const inputs: unknown[] = [];
  const reader = agentThat(async (input, { readFile }) => {
    inputs.push(input);
    return { response_text: new TextDecoder().decode(await readFile("F1")) };
  });
  const { submit, runner } = await start(reader);
  expect(await runner.waitUntilSettled(await submit(), 60_000)).toMatchObject({
    outcome: { answer: { response_text: "the-handle opens F1" } },
  });
  expect(JSON.stringify(inputs)).not.toContain("the-handle");
});

/** The errors of a read after the task was stopped. */
const reasons: Record<string, string> = {
  timed_out: new ZoneError("timeout").message,
  canceled: new ZoneError("canceled").message,
};

test.each([
  ["success", agentThat(async () => ({ response_text: "" })), 5_000],
  ["error", agentThat(async () => Promise.reject(new Error("no"))), 5_000],
  ["timed_out", never, 30],
  ["canceled", never, 5_000],
])("access to the files ends with the task: %s", async (state, agent, deadline_ms) => {
  const kept: ReadFile[] = [];
  const reader = agentThat(async (input, context) => {
    await context.readFile("F1");
    kept.push(context.readFile);
    return agent.run(input, context);
  });
  const { submit, runner, grants } = await start(reader);
  const task = await submit({ deadline_ms });
  await vi.waitFor(() => expect(kept).toHaveLength(1));
  if (state === "canceled") await runner.cancel(task);
  expect(await runner.waitUntilSettled(task, 60_000)).toMatchObject({ state });
  await vi.waitFor(() => expect(grants.map(({ signal }) => signal.aborted)).toEqual([true]));
  await expect(kept[0]?.("F1")).rejects.toThrow(reasons[state] ?? "the task has ended");
});

test("access to files that a task did not read ends with the task, too", async () => {
  const kept: ReadFile[] = [];
  const agent = agentThat(async (_input, { readFile }) => {
    kept.push(readFile);
    return { response_text: "" };
  });
  const { submit, runner, grants } = await start(agent);
  expect(await runner.waitUntilSettled(await submit(), 60_000)).toMatchObject({ state: "success" });
  await expect(kept[0]?.("F1")).rejects.toThrow("the task has ended");
  expect(grants).toEqual([]);
});

import { randomUUID } from "node:crypto";
import { startPostgres, type PostgresServer } from "@crosszone/testkit/postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AgentAnswer } from "../agents/agent.ts";
import { startRunner } from "../testing/start-runner.ts";
import { agentThat } from "../testing/start-zone.ts";
import type { TaskStore } from "./task-store.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

// Long enough for a busy machine: the test checks which process leases a task, not how soon.
const leaseMs = 5_000;
vi.setConfig({ testTimeout: 90_000 });

async function killServer(store: Pick<TaskStore, "get">): Promise<void> {
  await server.kill();
  // Connections live on for a moment after the server's own process.
  await vi.waitFor(() => expect(store.get(randomUUID())).rejects.toMatchObject({ kind: "agent_unavailable" }), 40_000);
}

test("Z8: a database outage loses no answer, accepts no new task, and moves no task to another process", async () => {
  const answers = new Map<string, PromiseWithResolvers<AgentAnswer>>();
  const gated = agentThat(({ task_id }) => {
    const answer = Promise.withResolvers<AgentAnswer>();
    answers.set(task_id, answer);
    return answer.promise;
  }, "builtin");
  const options = { url: server.url, leaseMs, agents: [gated] as const, maxRunning: 100 };
  const [one, other] = await Promise.all([startRunner(options), startRunner(options)]);
  const tasks = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).submit()));
  const [early, late] = [tasks.slice(0, 10), tasks.slice(10)];
  await vi.waitFor(() => expect(answers.size).toBe(20));

  await server.kill();
  // Connections live on for a moment after the server's own process.
  await vi.waitFor(
    () => expect(one.store.get(randomUUID())).rejects.toMatchObject({ kind: "agent_unavailable" }),
    20_000,
  );
  for (const { task_id } of early) answers.get(task_id)?.resolve({ response_text: task_id });
  await expect(one.submit()).rejects.toMatchObject({
    kind: "agent_unavailable",
    retryable: true,
    data: { retry_after_ms: 1_000 },
  });
  await expect(one.submit()).rejects.not.toHaveProperty("data.task_id");
  // When the database returns, every lease has expired by its clock.
  await vi.waitFor(() => expect(one.observer.storeFailed).toHaveBeenCalledWith("take", expect.anything()), 40_000);
  await new Promise((resolve) => setTimeout(resolve, leaseMs));
  await server.start();

  for (const task of early) {
    const { outcome } = await other.runner.waitUntilFinal(task, 40_000);
    expect(outcome).toMatchObject({ answer: { response_text: task.task_id } });
  }
  for (const { task_id } of late) answers.get(task_id)?.resolve({ response_text: task_id });
  for (const task of late) expect(await one.runner.waitUntilFinal(task, 40_000)).toMatchObject({ state: "success" });
  const starts = [one, other].flatMap(({ observer }) => observer.started.mock.calls);
  expect(starts).toHaveLength(20);
  expect(starts.every(([, attempt]) => attempt === 1)).toBe(true);
  const afterwards = await one.submit();
  answers.get(afterwards.task_id)?.resolve({ response_text: "" });
  expect(await other.runner.waitUntilFinal(afterwards, 40_000)).toMatchObject({ state: "success" });
});

test("a process that stops during a database outage reports what it could not store, and ends", async () => {
  const answer = Promise.withResolvers<AgentAnswer>();
  const agent = agentThat(({ text }) => (text === "hangs" ? new Promise(() => {}) : answer.promise), "builtin");
  const { submit, runner, jobs, observer, store } = await startRunner({ url: server.url, leaseMs, agents: [agent] });
  const [task, hanging] = [await submit(), await submit({ params: { channel: "C1", text: "hangs" } })];
  await killServer(store);
  answer.resolve({ response_text: "nobody hears" });
  await vi.waitFor(() => expect(observer.storeFailed).toHaveBeenCalledWith("end", expect.anything()), 40_000);
  await runner.stop(0);
  await jobs.stop();
  expect(observer.endLost).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ task_id: task.task_id }),
    expect.anything(),
  );
  expect(observer.storeFailed).toHaveBeenCalledWith("hand_back", expect.anything());
  await server.start();
  expect(await store.get(task.task_id)).toMatchObject({ state: "working" });

  const next = await startRunner({
    url: server.url,
    leaseMs,
    agents: [agentThat(async () => ({ response_text: "again" }), "builtin")],
  });
  for (const open of [task, hanging])
    expect(await next.runner.waitUntilFinal(open, 40_000)).toMatchObject({
      outcome: { answer: { response_text: "again" } },
    });
});

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { Agent } from "../../agents/agent.ts";
import { agentThat, echo, startZone, task } from "../../testing/start-zone.ts";

const slow = (ms: number) =>
  agentThat(
    async ({ text }, { signal }) => (await delay(ms, undefined, { signal }), { response_text: text, extra: [1] }),
    "slow",
  );

const resultOf = (answer: unknown): Record<string, unknown> => (answer as { result: Record<string, unknown> }).result;
const taskIdOf = (answer: unknown): string => resultOf(answer)["task_id"] as string;

test("Z9: the same id twice, at once or later, is one run with one answer; other ids are other runs", async () => {
  let runs = 0;
  const run = vi.fn<Agent["run"]>(async () => ({ response_text: `run ${++runs}` }));
  const zone = await startZone([agentThat(run)]);
  const id = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => zone.call("execute_task", task(), id)));
  answers.push(await zone.call("execute_task", task({ bot_token: "another handle" }), id));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(run).toHaveBeenCalledTimes(1);
  await zone.call("execute_task", task());
  expect(run).toHaveBeenCalledTimes(2);
});

test("a repeated id with another question is refused, and never gets the first question's answer", async () => {
  const zone = await startZone([echo]);
  const id = randomUUID();
  await zone.call("execute_task", task({ text: "one" }), id);
  expect(await zone.call("execute_task", task({ text: "two" }), id)).toMatchObject({
    error: { data: { kind: "invalid_params" } },
  });
});

test("a task needs an id to be found by: null is refused, a notification is ignored", async () => {
  const run = vi.fn<Agent["run"]>(async () => ({ response_text: "ran" }));
  const zone = await startZone([agentThat(run)]);
  expect(await zone.call("execute_task", task(), null)).toMatchObject({ error: { code: -32600 }, id: null });
  for (const id of ["1e999", "9007199254740993"]) {
    const rounded = await zone.post(
      `{"jsonrpc":"2.0","method":"execute_task","params":${JSON.stringify(task())},"id":${id}}`,
    );
    expect(await rounded.text()).toMatch(new RegExp(`-32600.*"id":${id}}$`));
  }
  const silent = await zone.post(JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params: task() }));
  expect(silent.status).toBe(204);
  expect(run).not.toHaveBeenCalled();
});

test("an oversized id is refused, because it is stored as long as its task", async () => {
  const zone = await startZone([echo]);
  expect(await zone.call("execute_task", task(), "i".repeat(256))).toMatchObject({ error: { code: -32600 } });
  expect(await zone.call("execute_task", task(), "i".repeat(255))).toMatchObject({ result: { status: "success" } });
});

test("Z7: a task past its deadline is -32001 with the caller's correlation id, also for later polls", async () => {
  const zone = await startZone([slow(10_000)], { taskDeadlineMs: 40 });
  const id = randomUUID();
  const timedOut = { error: { code: -32001, data: { kind: "timeout", correlation_id: "corr-7", retryable: false } } };
  expect(await zone.call("execute_task", task({ correlation_id: "corr-7" }), id)).toMatchObject(timedOut);
  const again = await zone.call("execute_task", task({ correlation_id: "corr-7" }), id);
  expect(again).toMatchObject(timedOut);
});

test("cancel_task aborts the work; later polls and cancels return the same", async () => {
  const zone = await startZone([slow(10_000)], { syncWindowMs: 10 });
  const task_id = taskIdOf(await zone.call("execute_task", task()));
  for (let times = 0; times < 2; times++)
    expect(await zone.call("cancel_task", { task_id })).toMatchObject({ result: { task_id, status: "canceled" } });
  expect(await zone.call("get_async_task_result", { task_id })).toMatchObject({
    error: { data: { kind: "canceled" } },
  });
});

test("E2: an unknown task, an unknown agent and a late cancel share -32000, distinguished by kind", async () => {
  const zone = await startZone([slow(30)], { syncWindowMs: 5 });
  const task_id = taskIdOf(await zone.call("execute_task", task()));
  await zone.call("get_async_task_result", { task_id, wait_ms: 30_000 });
  const answers = await Promise.all([
    zone.call("get_async_task_result", { task_id: "no-such-task" }),
    zone.call("execute_task", task({ agent: "__proto__" })),
    zone.call("cancel_task", { task_id }),
  ]);
  const kinds = ["task_not_found", "unknown_agent", "invalid_state_transition"];
  for (const [index, kind] of kinds.entries())
    expect(answers[index]).toMatchObject({ error: { code: -32000, data: { kind } } });
});

test("list_agents has the input schemas that fit, so that no list is too large for verification", async () => {
  const workflow = (name: string, size: number): Agent => {
    return { ...echo, name, kind: "workflow", inputSchema: { description: "x".repeat(size) } };
  };
  const zone = await startZone([echo, workflow("large", 900_000), workflow("second", 900_000), workflow("small", 1)]);
  const { agents } = resultOf(await zone.call("list_agents", {})) as { agents: Record<string, unknown>[] };
  expect(agents.map((agent) => [agent["name"], agent["input_schema"] !== undefined])).toEqual([
    ["echo", false],
    ["large", true],
    ["second", false],
    ["small", true],
  ]);
});

test("I5: read_task_file returns an answer's files in chunks, to the caller of the task only", async () => {
  const bytes = Buffer.alloc(1_500_000, "x");
  const drawing: Agent = {
    ...echo,
    run: async () => ({ response_text: "Here.", files: [{ name: "a.png", media_type: "image/png", bytes }] }),
  };
  const zone = await startZone([drawing]);
  const { task_id, files } = resultOf(await zone.call("execute_task", task()));
  expect(files).toEqual([{ id: "1", name: "a.png", media_type: "image/png", size: 1_500_000 }]);
  const read = async (offset: number) =>
    resultOf(await zone.call("read_task_file", { task_id, file_id: "1", offset })) as { bytes: string };
  const first = await read(0);
  expect(first).toMatchObject({ next_offset: 1_048_576 });
  const last = await read(1_048_576);
  expect(last).not.toHaveProperty("next_offset");
  const all = Buffer.concat([first, last].map((piece) => Buffer.from(piece.bytes, "base64")));
  expect(all.equals(bytes)).toBe(true);
  expect(await zone.call("read_task_file", { task_id, file_id: "2" })).toMatchObject({
    error: { code: -32602, data: { problems: [{ pointer: "/file_id" }] } },
  });
});

test("another caller's task looks like an unknown task", async () => {
  const zone = await startZone([slow(100)], { syncWindowMs: 5 });
  const task_id = taskIdOf(await zone.call("execute_task", task()));
  const message = JSON.stringify({ jsonrpc: "2.0", method: "get_async_task_result", params: { task_id }, id: 1 });
  const answer = await zone.app.dispatch(Buffer.from(message), { caller: "stranger", correlationId: "c" });
  expect(JSON.parse(answer ?? "")).toMatchObject({ error: { data: { kind: "task_not_found" } } });
});

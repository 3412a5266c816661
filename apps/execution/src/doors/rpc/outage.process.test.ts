// suite: rest
// @module-tag judge
import { startPostgres } from "@crosszone/testkit/postgres";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { TaskPaused } from "../../agents/agent.ts";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { voter } from "../../testing/new-input.ts";
import { startHooks } from "../../testing/start-hooks.ts";
import { messageOf, programOf, startAskedZone } from "../../testing/start-asked-zone.ts";
import { agentThat, echo, startZone, task } from "../../testing/start-zone.ts";

const pay = { agent: "test-agent", tool: "pay", arguments: { euros: 1 } };
const question = task({ user_id: "U_ALICE", team_id: "T1" });

const start = async (beforeAsking: () => Promise<void> = async () => undefined) => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const asks = agentThat(async () => {
    await beforeAsking();
    throw new TaskPaused([{ key: "pay", kind: "approve", title: "Pay?", action: pay }], {
      continuation: {},
      text: "I can pay.",
    });
  });
  const limits = { taskDeadlineMs: 60_000, syncWindowMs: 20_000, maxWaitMs: 20_000 };
  return { server, zone: await startZone([asks], { database: server.url, ...limits }) };
};

test("while the database is away, every method that needs it is answered with a retryable error", async () => {
  const { server, zone } = await start();
  const paused = await zone.call("execute_task", question);
  const { task_id, input_requests: [asked] = [] } = (
    paused as { result: { task_id: string; input_requests?: { request_id: string }[] } }
  ).result;
  const request_id = asked?.request_id;
  expect(request_id).toBeDefined();
  await server.kill();
  const answer = { by: voter("U_BOB"), answer: { verdict: "approve" } };
  const calls = {
    execute_task: question,
    get_async_task_result: { task_id },
    cancel_task: { task_id },
    read_task_file: { task_id, file_id: "1" },
    get_input_request: { request_id },
    answer_input: { request_id, ...answer },
    list_input_requests: {},
  };
  const unavailable = { error: { data: { kind: "zone_unavailable", retryable: true, retry_after_ms: 1_000 } } };
  await Promise.all(
    Object.entries(calls).map(async ([method, params]) =>
      expect.soft([method, await zone.call(method, params)]).toMatchObject([method, unavailable]),
    ),
  );
  await server.start();
  expect(await zone.call("get_async_task_result", { task_id })).toMatchObject({ result: { status: "input_required" } });
});

test("O16: while the database refuses the zone's password, every method says so, and goes on afterwards", async () => {
  const { server, zone } = await start();
  const { result } = (await zone.call("execute_task", question)) as { result: { task_id: string } };
  const admin = await openExecutionDatabase({ url: server.url, connections: 1 });
  onTestFinished(() => admin.close());
  const setPassword = (text: string) => sql.raw(`alter role postgres password '${text}'`).execute(admin.db);
  await setPassword("other");
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'postgres'`.execute(
    admin.db,
  );
  const message = "the database refuses the zone's password";
  const refused = { error: { data: { kind: "zone_unavailable", retryable: true, problems: [{ message }] } } };
  const calls = { execute_task: question, get_async_task_result: { task_id: result.task_id }, list_input_requests: {} };
  for (const [method, params] of Object.entries(calls))
    await expect.poll(() => zone.call(method, params), { timeout: 30_000 }).toMatchObject(refused);
  await setPassword("postgres");
  await expect
    .poll(() => zone.call("get_async_task_result", { task_id: result.task_id }), { timeout: 30_000 })
    .toMatchObject({ result: { status: "input_required" } });
});

test("what an agent asks while the database is away is asked when it is back", async () => {
  const begun = Promise.withResolvers<void>();
  const { server, zone } = await start(async () => {
    await server.kill();
    begun.resolve();
  });
  const answer = zone.call("execute_task", question);
  await begun.promise;
  // Longer than the second for which each statement is retried.
  await delay(2_500);
  await server.start();
  expect(await answer).toMatchObject({ result: { status: "input_required", input_requests: [{ title: "Pay?" }] } });
});

test("while the database is away, programs read that they can retry, and never the error", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const { a2a: url } = await startAskedZone([echo], { database: server.url });
  const a2a = programOf(url, "echo");
  const { id } = await a2a.send("hello");
  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const registered = [{ find: async () => undefined, list: () => Promise.reject(reset) }];
  const mcp = await startAskedZone([echo], { database: server.url, registered });
  const client = await mcp.connect("ci");
  await server.kill();
  const unreachable = "Crosszone can't work now. Call the tool again in a few seconds:\n- the database is unreachable";
  const calls = { SendMessage: { message: messageOf("again") }, GetTask: { id }, ListTasks: {}, CancelTask: { id } };
  for (const [method, params] of Object.entries(calls))
    expect
      .soft([method, (await a2a.call(method, params)).error])
      .toMatchObject([method, { message: "Zone unavailable: the database is unreachable" }]);
  expect(await client.callTool({ name: "ask_echo", arguments: { message: "hello" } })).toMatchObject({
    isError: true,
    content: [{ text: unreachable }],
  });
  await expect(client.listTools()).rejects.toMatchObject({ code: -32603, message: unreachable });
});

test("while the database is away, a webhook's sender is asked to send again, and then is known once", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const hook = `hooks:
  - name: ci
    owner: {team_id: T1, user_id: U1}
    sign: {kind: github}
    secrets: [env:AGENT_SECRET_GITHUB]
    agent: echo
    text: hello
    cap: {fires: 1}
`;
  const { deliver, fires } = await startHooks(hook, [echo], { database: server.url });
  await server.kill();
  const away = await deliver("ci", { n: 1 });
  expect(away).toMatchObject({
    status: 503,
    headers: { "retry-after": "5" },
    body: { error: { reason: "storage_unavailable" } },
  });
  await server.start();
  await expect.poll(async () => (await deliver("ci", { n: 1 })).status).toBe(202);
  expect(await fires()).toMatchObject([{ text: "hello" }]);
});

// suite: rest
// @module-tag judge
import { type AskedZone, token as linkToken } from "@crosszone/execution/testing";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { startOnDatabase } from "@crosszone/testkit/process";
import { sdkNamed, startSdkAgent } from "../full/interop/start-sdk-agent.ts";
import { adminToken, askingToken, postAs, rpcOf } from "../harness/runs-api.ts";
import { writeSettings } from "../harness/temp-file.ts";
import { startAsked } from "../harness/start-called-zone.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
type Json = any;

/** Sends a request of A2A as a program. A stream has begun when it resolves, and the function that it returns reads it to its end. */
const openOf =
  (version: string) =>
  async (url: string, method: string, params: object): Promise<() => Promise<Json>> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": version, authorization: "Bearer ci" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return () => resultOf(response);
  };

async function resultOf(response: Response): Promise<Json> {
  const text = await response.text();
  const events = text.split("\n").filter((line) => line.startsWith("data: "));
  if (events.length === 0) return JSON.parse(text);
  return events.map((line) => JSON.parse(line.slice("data: ".length)).result);
}
const callOf =
  (version: string) =>
  async (...request: readonly [url: string, method: string, params: object]): Promise<Json> =>
    (await openOf(version)(...request))();
const [call, callV03] = [callOf("1.0"), callOf("0.3")];

const messageOf = (parts: readonly object[], members: object = {}) => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts, ...members },
});
const send = async (url: string, text: string, members: object = {}): Promise<Json> =>
  (await call(url, "SendMessage", messageOf([{ text }], members))).result.task;

/** Starts a zone in front of an agent on the official SDK. */
async function start(env: Readonly<Record<string, string>> = {}, sections: object = {}) {
  const agent = await startSdkAgent(sdkNamed("js1"));
  const zone = await startAsked({ registered: { book: agent.url }, env, sections });
  return { agent, zone, url: zone.urlOf("book") };
}

const booked = { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: "Booked: Oslo." }] }] };

test("J1, P3: an agent's question ended a program's task; it waits with the whole question, and goes on for as many rounds as the agent asks", async () => {
  const { agent, url } = await start();
  const asked = await send(url, "book");
  expect(asked.status).toMatchObject({
    state: "TASK_STATE_INPUT_REQUIRED",
    message: {
      role: "ROLE_AGENT",
      taskId: asked.id,
      parts: [{ text: "Draft: two nights.\n\nWhich city?" }, { data: { nights: 2, pets: false } }],
    },
  });
  const again = await send(url, "input-required", { taskId: asked.id });
  expect(again).toMatchObject({ id: asked.id, status: { state: "TASK_STATE_INPUT_REQUIRED" } });
  expect(again.status.message.parts[0].text).toBe("Draft: two nights.\n\nWhich city do you fly to?");
  expect((await call(url, "GetTask", { id: asked.id })).result.status).toEqual(again.status);
  const ended = await send(url, "Oslo", { taskId: asked.id });
  expect(ended).toMatchObject({ id: asked.id, status: { state: "TASK_STATE_COMPLETED" } });
  expect(JSON.stringify(ended.artifacts)).toContain("Booked: Oslo.");
  const journal = await agent.journal();
  expect(journal.map(({ text, continued }) => [text, continued])).toEqual([
    ["book", false],
    ["input-required", true],
    ["Oslo", true],
  ]);
  expect(new Set(journal.map(({ taskId }) => taskId)).size).toBe(1);
  // A message with the context alone is a task of its own.
  expect((await send(url, "message at once", { contextId: asked.contextId })).id).not.toBe(asked.id);
});

test("J1: an agent that needs an authorization is no answer either, in both versions", async () => {
  const { url } = await start();
  const asked = await send(url, "sign in");
  const text = "Sign in at https://login.example.com/start?id=1, then reply.";
  expect(asked.status).toMatchObject({ state: "TASK_STATE_AUTH_REQUIRED", message: { parts: [{ text }] } });
  const old = (await callV03(url, "tasks/get", { id: asked.id })).result;
  expect(old.status).toMatchObject({ state: "auth-required", message: { parts: [{ kind: "text", text }] } });
  const listed = await call(url, "ListTasks", { status: "TASK_STATE_AUTH_REQUIRED" });
  expect(listed.result.tasks.map(({ id }: Json) => id)).toEqual([asked.id]);
  expect(await send(url, "Oslo", { taskId: asked.id })).toMatchObject({ id: asked.id, ...booked });
});

test("J1: streams and subscriptions show the question, and the reply can be streamed", async () => {
  const { url } = await start();
  const events = await call(url, "SendStreamingMessage", messageOf([{ text: "book" }]));
  const { taskId, status } = events.at(-1).statusUpdate;
  expect(status).toMatchObject({
    state: "TASK_STATE_INPUT_REQUIRED",
    message: { parts: [{}, { data: { nights: 2 } }] },
  });
  expect(status.message.parts[0].text).toBe("Draft: two nights.\n\nWhich city?");
  const old = await callV03(url, "tasks/resubscribe", { id: taskId });
  expect(old.at(-1)).toMatchObject({ status: { state: "input-required" }, final: true });
  const subscribed = await openOf("1.0")(url, "SubscribeToTask", { id: taskId });
  const rest = await call(url, "SendStreamingMessage", messageOf([{ text: "Oslo" }], { taskId }));
  const [first, ...others] = await subscribed();
  expect(first.task.status).toEqual(status);
  expect(others.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
  expect(rest.at(-1).statusUpdate).toMatchObject({ taskId, status: { state: "TASK_STATE_COMPLETED" } });
  expect(JSON.stringify(rest)).toContain("Booked: Oslo.");
  const signing = await callV03(url, "message/stream", {
    message: { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "sign in" }] },
  });
  expect(signing.at(-1)).toMatchObject({ kind: "status-update", status: { state: "auth-required" }, final: true });
});

test.each([
  ["text and data", [{ text: "To" }, { data: { city: "Oslo" } }], 'Booked: To\n{"city":"Oslo"}.'],
  ["a value", [{ data: { value: "Oslo" } }], "Booked: Oslo."],
  ["a long text", [{ text: "x".repeat(10_000) }], `Booked: ${"x".repeat(10_000)}.`],
])("J1: a reply of %s reaches the agent whole", async (_, parts, text) => {
  const { url } = await start();
  const { id: taskId } = await send(url, "input-required");
  const { result } = await call(url, "SendMessage", messageOf(parts, { taskId }));
  expect(result.task).toMatchObject({ id: taskId, artifacts: [{ parts: [{ text }] }] });
});

test("J1: a reply that can't be passed on is refused with what to do, and the task still waits", async () => {
  const { url } = await start();
  const { id: taskId } = await send(url, "input-required");
  const file = { raw: "aGk=", filename: "a.txt", mediaType: "text/plain" };
  for (const parts of [[{ text: "see file" }, file], [{ text: " " }]])
    expect((await call(url, "SendMessage", messageOf(parts, { taskId }))).error.code).toBe(-32_602);
  expect((await call(url, "GetTask", { id: taskId })).result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
});

test("J1: how a waiting task ends: the agent fails, it is canceled, declined, or nobody replies in time", async () => {
  const approvals = { default: { expires_in: "3s", decide: { people: ["UBOB"] } } };
  const { agent, url } = await start({}, { approvals });
  const ask = async (): Promise<string> => (await send(url, "input-required")).id;
  const [late, failed, canceled, declined] = [await ask(), await ask(), await ask(), await ask()];
  expect((await send(url, "failed", { taskId: failed })).status).toMatchObject({
    state: "TASK_STATE_FAILED",
    message: { parts: [{ text: expect.stringContaining("The archive burned down.") }] },
  });
  expect((await call(url, "CancelTask", { id: canceled })).result.status.state).toBe("TASK_STATE_CANCELED");
  const no = messageOf([{ data: { verdict: "deny" } }], { taskId: declined });
  expect((await call(url, "SendMessage", no)).result.task.status.state).toBe("TASK_STATE_CANCELED");
  const state = async (): Promise<Json> => (await call(url, "GetTask", { id: late })).result.status;
  await expect.poll(state, { interval: 300 }).toMatchObject({
    state: "TASK_STATE_FAILED",
    message: { parts: [{ text: expect.stringContaining("My question was not answered by") }] },
  });
  for (const taskId of [late, failed, canceled, declined])
    expect((await call(url, "SendMessage", messageOf([{ text: "Oslo" }], { taskId }))).error.code).toBe(-32_004);
  expect((await agent.journal()).filter(({ text }) => text === "Oslo")).toEqual([]);
});

test("J1, P3: a question of a foreign agent crosses three zones, and so does an authorization", async () => {
  const { agent, zone: third } = await start();
  const second = await startAsked({ registered: { third: third.urlOf("book") } });
  const first = await startAsked({ registered: { second: second.urlOf("third") } });
  const url = first.urlOf("second");
  const asked = await send(url, "book");
  expect(asked.status).toMatchObject({
    state: "TASK_STATE_INPUT_REQUIRED",
    message: { parts: [{ text: "Draft: two nights.\n\nWhich city?" }, { data: { nights: 2, pets: false } }] },
  });
  const signsIn = await send(url, "sign in", { taskId: asked.id });
  expect(signsIn).toMatchObject({ id: asked.id, status: { state: "TASK_STATE_AUTH_REQUIRED" } });
  const ended = await send(url, "Oslo", { taskId: asked.id });
  expect(ended).toMatchObject({ id: asked.id, status: { state: "TASK_STATE_COMPLETED" } });
  expect(JSON.stringify(ended.artifacts)).toContain("Booked: Oslo.");
  expect((await agent.journal()).map(({ text }) => text)).toEqual(["book", "sign in", "Oslo"]);
});

test("Zones that ask each other in a loop end with a sentence, and so does a task that a person began", async () => {
  const limits = { syncWindowMs: 10_000 };
  const first = await startAsked({ registered: { next: "http://127.0.0.1:9/" }, limits });
  const second = await startAsked({ registered: { next: first.urlOf("next") } });
  const auth = { type: "bearer", token: "env:AGENT_SECRET_ZONE" };
  writeFileSync(first.agentsFile, JSON.stringify({ agents: [{ name: "next", url: second.urlOf("next"), auth }] }));
  const asked = { channel: "C1", text: "go", bot_token: "none", agent: "next" };
  const failed = async (): Promise<Json> => {
    const ask = async (): Promise<Json> => send(first.urlOf("next"), "go");
    return (await ask()).status;
  };
  await expect.poll(failed, { interval: 500 }).toMatchObject({
    state: "TASK_STATE_FAILED",
    message: { parts: [{ text: expect.stringContaining("Agent failed") }] },
  });
  const rpc = await postAs(linkToken, { accept: "*/*" })(`${first.zone.url}/rpc`, rpcOf("execute_task", asked));
  expect(rpc.json<Json>()).toMatchObject({ error: { data: { kind: "agent_failed" } } });
  expect(JSON.stringify([first.zone.log, second.zone.log])).toContain("passed on 8 times");
});

interface Shown {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: {
    readonly task_id: string;
    readonly state: string;
    readonly text: string;
    readonly inputs: readonly { readonly request_id: string }[];
  };
}
const question = (message: string) => ({ name: "ask_book", arguments: { message } });

/** Connects the official client of MCP, whose person answers what it is asked. */
async function connect(
  zone: AskedZone,
  capabilities: object,
  { mode = "auto", onElicit }: { readonly mode?: "auto" | "legacy"; readonly onElicit?: (params: Json) => object } = {},
) {
  const client = await zone.connect("ci", { versionNegotiation: { mode }, capabilities });
  if (onElicit !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => onElicit(params) as never);
  return async (request: { name: string; arguments: Record<string, unknown> }) =>
    (await client.callTool(request)) as unknown as Shown;
}

test("J1: over MCP an agent's question was a success; the client asks its person, as often as the agent asks, in one call", async () => {
  const { zone, agent } = await start();
  const seen: Json[] = [];
  const replies = ["input-required", "Oslo"];
  const onElicit = (params: Json): object => {
    seen.push(params);
    return { action: "accept", content: { value: replies[seen.length - 1] } };
  };
  const ask = await connect(zone, { elicitation: { form: {} } }, { onElicit });
  const { structuredContent } = await ask(question("book"));
  expect(structuredContent).toMatchObject({ state: "success", text: expect.stringContaining("Booked: Oslo.") });
  expect(seen).toHaveLength(2);
  expect(seen[0]).toMatchObject({
    mode: "form",
    message: expect.stringMatching(/^book asks: Draft: two nights\. Which city\?/),
  });
  expect(seen[0].message).toContain('"nights": 2');
  expect(new Set((await agent.journal()).map(({ taskId }) => taskId)).size).toBe(1);
});

test("J1: over MCP an authorization is a link that the client opens, else words", async () => {
  const { zone } = await start();
  const url = "https://login.example.com/start?id=1";
  const seen: Json[] = [];
  const onElicit = (params: Json): object => {
    seen.push(params);
    return params.mode === "url" ? { action: "accept" } : { action: "accept", content: { value: "Oslo" } };
  };
  const opens = await connect(zone, { elicitation: { form: {}, url: {} } }, { onElicit });
  expect((await opens(question("sign in"))).structuredContent.text).toBe("Booked: I have opened the link..");
  expect(seen).toMatchObject([{ mode: "url", url, message: expect.stringContaining("Sign in at") }]);
  const fills = await connect(zone, { elicitation: { form: {} } }, { onElicit });
  expect((await fills(question("sign in"))).structuredContent.text).toBe("Booked: Oslo.");
  expect(seen[1]).toMatchObject({ mode: "form", message: expect.stringContaining(url) });
});

test.each([
  ["auto", {}],
  // An older version asks on the connection, which this server keeps for no one.
  ["legacy", { elicitation: { form: {} } }],
] as const)(
  "J1: a client of MCP whose person can't be asked gets how to go on, and does, %s",
  async (mode, capabilities) => {
    const { zone } = await start();
    const onElicit = (): never => expect.unreachable();
    const ask = await connect(zone, capabilities, { mode, ...("elicitation" in capabilities && { onElicit }) });
    const { structuredContent: asked } = await ask(question("book"));
    const { task_id, inputs } = asked;
    const request_id = inputs[0]?.request_id ?? "";
    expect(asked).toMatchObject({ state: "input_required", text: expect.stringContaining("Which city?") });
    expect(asked.text).toContain(`call answer_input with task_id "${task_id}", request_id "${request_id}"`);
    const { structuredContent: ended } = await ask({
      name: "answer_input",
      arguments: { task_id, request_id, value: "Oslo" },
    });
    expect(ended).toMatchObject({ task_id, state: "success", text: expect.stringContaining("Booked: Oslo.") });
  },
);

test("J1: a person who declines over MCP ends the task", async () => {
  const { zone, agent } = await start();
  const ask = await connect(zone, { elicitation: {} }, { onElicit: () => ({ action: "decline" }) });
  expect(await ask(question("book"))).toMatchObject({ isError: true, structuredContent: { state: "canceled" } });
  expect(await agent.journal()).toHaveLength(1);
});

test("J1, P3: kill -9 while an agent's question waits, and while its reply is on the way: the task goes on, and the agent gets the reply once", async () => {
  const agent = await startSdkAgent(sdkNamed("js1"));
  const database = await newSqliteDatabase();
  const env = {
    ASK_PORT: "0",
    ADMIN_TOKENS: adminToken,
    EXECUTION_FILE: writeSettings({
      agents: [{ name: "book", url: agent.url }],
      programs: { askers: [{ token: "ci", agents: ["book"] }] },
    }),
    AGENT_ORIGINS: "http://127.0.0.1:*",
  };
  const restart = async () => {
    const zone = await startOnDatabase(database, env);
    const kill = async (): Promise<void> => {
      zone.signal("SIGKILL");
      await zone.ended;
    };
    return { zone, url: await zone.askUrl(), kill };
  };
  let running = await restart();
  const token = await askingToken(running.zone.url);
  const callBook = async (method: string, params: object): Promise<Json> =>
    (await postAs(token, { "a2a-version": "1.0" })(`${running.url}/a2a/book/`, rpcOf(method, params))).json();
  const say = (text: string, { taskId, ...configuration }: { taskId?: string; returnImmediately?: true } = {}) =>
    callBook("SendMessage", {
      message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...(taskId && { taskId }) },
      configuration,
    });
  const read = async (id: string): Promise<Json> => (await callBook("GetTask", { id })).result;

  const asked = (await say("book")).result.task;
  expect(asked.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  await running.kill();
  running = await restart();
  expect((await read(asked.id)).status).toEqual(asked.status);
  await say("Oslo", { taskId: asked.id, returnImmediately: true });
  await running.kill();
  running = await restart();
  await expect
    .poll(async () => JSON.stringify(await read(asked.id)), { interval: 300 })
    .toMatch(/TASK_STATE_COMPLETED.*Booked: Oslo\./);
  expect((await agent.journal()).map(({ text }) => text)).toEqual(["book", "Oslo"]);
});

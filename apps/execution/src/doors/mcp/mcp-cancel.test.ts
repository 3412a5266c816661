// suite: both
import { setTimeout as delay } from "node:timers/promises";
import { someOf } from "@crosszone/testkit/cpu";
import { expect, test, vi } from "vitest";
import { textInput } from "../../testing/mcp-agents.ts";
import { forms, modernMessage, modernRequest } from "../../testing/modern-request.ts";
import { startAskedZone } from "../../testing/start-asked-zone.ts";
import { agentThat } from "../../testing/start-zone.ts";
import { TaskPaused } from "../../agents/agent.ts";

type Message = Parameters<typeof modernMessage>[0];

const go = { name: "ask_endless", arguments: { message: "go" } };
const kept = { ...go, arguments: { ...go.arguments, request_id: "r" } };
const inSession = { "mcp-session-id": "s" };
const cancellation = (requestId: unknown) => ({ method: "notifications/cancelled", params: { requestId } });

/** Starts a zone with an agent that works until it is stopped, once a person has answered it if the message is "ask". */
async function start() {
  const seen = { begun: 0, stopped: 0 };
  const endless = agentThat(async ({ text }, { signal, inputs }) => {
    const isAnswered = (inputs?.decided.size ?? 0) > 0;
    if (text === "ask" && !isAnswered) throw new TaskPaused([{ ...textInput, key: "0" }], { continuation: null });
    seen.begun += 1;
    await delay(60_000, undefined, { signal }).finally(() => (seen.stopped += 1));
    return { response_text: "too late" };
  }, "endless");
  const mcp = await startAskedZone([endless]);
  const isBegun = (count: number) => vi.waitFor(() => expect(seen.begun).toBe(count), { timeout: 30_000 });
  const stopped = async (count: number): Promise<number> => {
    await vi.waitFor(() => expect(seen.stopped).toBe(count), { timeout: 30_000 });
    // Longer than a cancellation takes.
    await delay(count === 0 ? 900 : 0);
    return seen.stopped;
  };
  const post = (message: object, headers: object, { program = "ci", signal = new AbortController().signal } = {}) =>
    mcp
      .post(program, { jsonrpc: "2.0", ...message }, { headers: { ...headers }, signal })
      .then((response) => response.text());
  return {
    mcp,
    isBegun,
    post,
    stopped,
    /** Begins a call of an earlier version, with id 1. */
    begin: async (headers: object, params: object = go, signal?: AbortSignal) => {
      post({ id: 1, method: "tools/call", params }, headers, { ...(signal && { signal }) }).catch(() => undefined);
      await isBegun(seen.begun + 1);
    },
    /** Sends a message of 2026-07-28, with id 1. */
    send: (message: Message, more: object = {}, signal?: AbortSignal) => {
      const [sent, headers] = modernMessage(message);
      post(sent, { ...headers, ...more }, { ...(signal && { signal }) }).catch(() => undefined);
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

const onprogress = (): void => undefined;

test.each([
  ["auto", {}, go],
  ["auto", { onprogress }, go],
  ["legacy", {}, go],
  ["legacy", { onprogress }, kept],
] as const)(
  "a client that cancels a call stops its agent, and not that of another client, %s %o",
  async (mode, wants, given) => {
    const { mcp, isBegun, stopped } = await start();
    const connect = () => mcp.connect("ci", { versionNegotiation: { mode } });
    const [one, two] = [await connect(), await connect()];
    const [first, second] = [new AbortController(), new AbortController()];
    // The requests of both have the same ids.
    const calls = [
      one.callTool(given, { signal: first.signal, ...wants }),
      two.callTool(go, { signal: second.signal, ...wants }),
    ].map((call) => call.catch(() => "canceled"));
    await isBegun(2);
    first.abort();
    expect(await calls[0]).toBe("canceled");
    expect(await stopped(1)).toBe(1);
    await delay(700);
    expect(await stopped(1)).toBe(1);
    second.abort();
    expect(await calls[1]).toBe("canceled");
    expect(await stopped(2)).toBe(2);
  },
);

const cancels: Record<string, (started: Started) => Promise<unknown>> = {
  "with a session": async ({ begin, post }) => {
    await begin(inSession);
    await post(cancellation(1), inSession);
  },
  "without a session": async ({ begin, post }) => {
    await begin({});
    await post(cancellation(1), {});
  },
  "of 2026-07-28, as bridges send it that keep the response open,": async ({ send, post, isBegun }) => {
    send({ method: "tools/call", params: go });
    await isBegun(1);
    const [message, headers] = modernMessage(cancellation(1));
    await post({ ...message, id: undefined }, headers);
  },
  "of `crosszone programs mcp`, for a call of 2026-07-28 with a request_id,": async ({ send, post, isBegun }) => {
    send({ method: "tools/call", params: kept }, inSession);
    await isBegun(1);
    await post(cancellation(1), inSession);
  },
  "of a program with 1,000 later tasks": async ({ begin, post, mcp }) => {
    await begin(inSession);
    const asker = { actor: "token:ci", agents: ["*"], openTasks: 9_999 };
    const request = { asker, surface: "mcp", correlationId: "c" } as const;
    const agent = await mcp.zone.app.ask.agent(asker, "endless");
    const message = { messageId: "m", parts: [{ text: "ask" }] };
    for (let key = 0; key < 1_000; key += 1) await mcp.zone.app.ask.ask(request, { agent, message, key: `${key}` });
    await post(cancellation(1), inSession);
  },
  "that overtakes its call": async ({ begin, post }) => {
    await post(cancellation(1), inSession);
    await begin(inSession);
  },
};

test.each(someOf(Object.entries(cancels), 3))("a notification %s cancels", async (_name, act) => {
  const started = await start();
  await act(started);
  expect(await started.stopped(1)).toBe(1);
});

test("a call of 2026-07-28 that goes on after an answer is canceled by disconnecting", async () => {
  const { mcp, send, isBegun, stopped } = await start();
  const asked = { method: "tools/call", params: { ...go, arguments: { message: "ask" } }, can: forms };
  const { result } = await modernRequest(mcp, "ci", asked);
  const [id = ""] = Object.keys(result?.["inputRequests"] ?? {});
  const inputResponses = { [id]: { action: "accept", content: { value: "Rome" } } };
  const params = { ...asked.params, requestState: result?.["requestState"], inputResponses };
  const client = new AbortController();
  send({ ...asked, params }, {}, client.signal);
  await isBegun(1);
  client.abort();
  expect(await stopped(1)).toBe(1);
});

test.each([
  { of: "another program", program: "other" },
  { of: "another session", headers: { "mcp-session-id": "t" } },
  { of: "no session", headers: {} },
  { of: "another id", id: "1" },
  { of: "no id", id: undefined },
])("a notification of $of cancels nothing", async ({ program = "ci", headers = inSession, ...sent }) => {
  const { begin, post, stopped } = await start();
  await begin(inSession);
  const id = "id" in sent ? sent.id : 1;
  const message = cancellation(id);
  for (const params of [message.params, null, [id]]) await post({ ...message, params }, headers, { program });
  expect(await stopped(0)).toBe(0);
});

const others: Record<string, (started: Started) => Promise<unknown>> = {
  "a notification that can mean two calls": async ({ begin, post }) => {
    await begin({});
    await begin({});
    await post(cancellation(1), {});
  },
  "a client of an earlier version that disconnects": async ({ begin }) =>
    begin(inSession, go, AbortSignal.timeout(300)),
  "a client that disconnects from a call with a request_id": async ({ send, isBegun }) => {
    send({ method: "tools/call", params: kept }, {}, AbortSignal.timeout(300));
    await isBegun(1);
  },
  "a client that stops to wait with get_task": async ({ mcp, send, isBegun }) => {
    send({ method: "tools/call", params: go });
    await isBegun(1);
    const asker = { actor: "token:ci", agents: ["*"], openTasks: 9 };
    const { tasks } = await mcp.zone.app.ask.list(asker, {}, { limit: 1 });
    const params = { name: "get_task", arguments: { task_id: tasks[0]?.task_id } };
    send({ method: "tools/call", params }, {}, AbortSignal.timeout(100));
  },
  "a zone that ends its connections": async ({ mcp, send, isBegun }) => {
    send({ method: "tools/call", params: go });
    await isBegun(1);
    await mcp.cut();
  },
};

test.each(someOf(Object.entries(others), 3))("%s cancels nothing", async (_name, act) => {
  const started = await start();
  await act(started);
  expect(await started.stopped(0)).toBe(0);
});

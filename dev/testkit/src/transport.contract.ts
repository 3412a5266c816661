import { setTimeout as delay } from "node:timers/promises";
import { zoneMethods, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import {
  createClient,
  createDispatcher,
  type Client,
  type HandleMessage,
  type SendOptions,
  type Transport,
} from "@crosszone/jsonrpc";
import { describe, expect, onTestFinished, test } from "vitest";

/** Connects a transport to a server that answers what `handle` says; `stop` ends both. */
export type Connect = (handle: HandleMessage) => Promise<{ transport: Transport; stop: () => Promise<void> }>;

const options = (members: Partial<SendOptions> = {}): SendOptions => ({
  timeoutMs: 30_000,
  session: "session-of-thirty-three-letters-x",
  correlationId: "corr-1",
  ...members,
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (message: Uint8Array): string => new TextDecoder().decode(message);
const requestOf = (id: unknown): string => JSON.stringify({ jsonrpc: "2.0", method: "list_agents", params: {}, id });
const answerTo = (message: Uint8Array, result: unknown): string => {
  const { id } = JSON.parse(text(message)) as { id: unknown };
  return JSON.stringify({ jsonrpc: "2.0", result, id });
};

/** Z10: what every transport between the zones does, whatever carries the bytes. */
export function transportContract(name: string, connect: Connect): void {
  const connected: Connected = async (handle) => {
    const { transport, stop } = await connect(handle);
    onTestFinished(stop);
    return transport;
  };
  describe(`Z10: ${name} keeps the transport contract`, () => {
    testMessages(connected);
    testFailures(connected, connect);
  });
}

/** Connects a transport until the test ends. */
type Connected = (handle: HandleMessage) => Promise<Transport>;

function testMessages(connected: Connected): void {
  test("carries bytes both ways unchanged, Unicode and a megabyte included", async () => {
    let received = "";
    const long = "é日本語🙂".repeat(40_000);
    const transport = await connected(async (message) => {
      received = text(message);
      return answerTo(message, long);
    });
    const request = JSON.stringify({ jsonrpc: "2.0", method: "x", params: { text: "\u0000é🙂\\" }, id: "1" });
    const answer = JSON.parse(text(await transport.send(bytes(request), options()))) as { result: string };
    expect(received).toBe(request);
    expect(answer.result === long).toBe(true);
  });

  test("L7: the correlation id arrives with the message", async () => {
    const transport = await connected(async (message, { correlationId }) => answerTo(message, correlationId));
    const answer = await transport.send(bytes(requestOf(1)), options({ correlationId: "corr-7" }));
    expect(JSON.parse(text(answer))).toMatchObject({ result: "corr-7" });
  });

  test("R5.5: the traceparent arrives with the message, if the message has one", async () => {
    const transport = await connected(async (message, { traceparent }) => answerTo(message, traceparent ?? "none"));
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const answer = await transport.send(bytes(requestOf(1)), options({ traceparent }));
    expect(JSON.parse(text(answer))).toMatchObject({ result: traceparent });
    expect(text(await transport.send(bytes(requestOf(2)), options()))).toContain('"none"');
  });

  test("concurrent messages get their own answers", async () => {
    const transport = await connected(async (message) => {
      await delay(Math.random() * 20);
      return answerTo(message, text(message));
    });
    const ids = Array.from({ length: 60 }, (_, index) => index);
    const answers = await Promise.all(ids.map((id) => transport.send(bytes(requestOf(id)), options())));
    expect(answers.map((answer) => (JSON.parse(text(answer)) as { id: number }).id)).toEqual(ids);
  });

  test("results and errors of every kind come back typed through the client", async () => {
    const client = clientOf(await connected(createServer()));
    expect(await client.call("list_agents", {})).toEqual({ agents: [] });
    await expect(client.call("get_async_task_result", { task_id: "gone" })).rejects.toMatchObject({
      name: "ZoneError",
      kind: "task_not_found",
      data: { task_id: "gone" },
    });
    const asked = client.call("execute_task", { channel: "C1", text: "hi", bot_token: "handle" });
    await expect(asked).rejects.toMatchObject({ kind: "rate_limited", retryable: true, data: { retry_after_ms: 250 } });
    await expect(client.call("cancel_task", { task_id: "t" })).rejects.toMatchObject({ kind: "internal" });
  });
}

function testFailures(connected: Connected, connect: Connect): void {
  test("no answer in time is `timeout`, and the transport can be used again", async () => {
    const transport = await connected(async (message, { signal }) => {
      if (text(message).includes("slow")) await delay(10_000, undefined, { signal }).catch(() => undefined);
      return answerTo(message, "ok");
    });
    const late = transport.send(bytes(requestOf("slow")), options({ timeoutMs: 80 }));
    await expect(late).rejects.toMatchObject({ name: "LinkError", kind: "timeout", retryable: true });
    expect(text(await transport.send(bytes(requestOf("quick")), options()))).toContain('"ok"');
  });

  test("an abort rejects at once as `aborted` and reaches the server", async () => {
    const reached = Promise.withResolvers<void>();
    const controller = new AbortController();
    const transport = await connected(async (message, { signal }) => {
      signal.addEventListener("abort", () => reached.resolve(), { once: true });
      controller.abort();
      await delay(10_000, undefined, { signal }).catch(() => undefined);
      return answerTo(message, "too late");
    });
    const sent = transport.send(bytes(requestOf(1)), options({ signal: controller.signal }));
    await expect(sent).rejects.toMatchObject({ kind: "aborted", retryable: false });
    await reached.promise;
    const never = transport.send(bytes(requestOf(1)), options({ signal: AbortSignal.abort() }));
    await expect(never).rejects.toMatchObject({ kind: "aborted" });
  });

  test("no answer at all is `invalid_response`", async () => {
    const transport = await connected(async () => undefined);
    const sent = transport.send(bytes(requestOf(1)), options());
    await expect(sent).rejects.toMatchObject({ kind: "invalid_response", retryable: false });
  });

  test("a stopped peer, or a closed transport, is `unreachable`", async () => {
    const { transport, stop } = await connect(async (message) => answerTo(message, "ok"));
    await transport.send(bytes(requestOf(1)), options());
    await transport.close();
    await expect(transport.send(bytes(requestOf(1)), options())).rejects.toMatchObject({
      kind: "unreachable",
      retryable: true,
    });
    await stop();
  });
}

function clientOf(transport: Transport): Client<ZoneMethods> {
  return createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 30_000 });
}

/** A server that answers each of these methods in its own way, and all others with an error. */
function createServer(): HandleMessage {
  const refuse = () => Promise.reject(new ZoneError("internal"));
  const others = Object.fromEntries(Object.keys(zoneMethods).map((name) => [name, refuse]));
  const dispatch = createDispatcher<ZoneMethods, { correlationId: string }>({
    methods: zoneMethods,
    batches: "refuse",
    handlers: {
      ...(others as Record<keyof ZoneMethods, typeof refuse>),
      list_agents: () => ({ agents: [] }),
      get_async_task_result: ({ task_id }) => Promise.reject(new ZoneError("task_not_found", { task_id })),
      execute_task: () => Promise.reject(new ZoneError("rate_limited", { retry_after_ms: 250 })),
      cancel_task: () => Promise.reject(new Error("unexpected")),
    },
  });
  return (message, { correlationId }) => dispatch(message, { correlationId });
}

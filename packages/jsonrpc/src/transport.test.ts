import { zoneMethods, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import { describe, expect, test, vi } from "vitest";
import { createClient } from "./client.ts";
import { createDispatcher } from "./dispatch.ts";
import { errorToJson } from "./error-json.ts";
import { createInProcessTransport, type HandleMessage } from "./transport.ts";
import { otherMethods } from "./testing/other-methods.ts";

const options = { timeoutMs: 1_000, session: "s1", correlationId: "c1" };
const message = new TextEncoder().encode("message");
const send = async (handle: HandleMessage, more: object = {}): Promise<Uint8Array> =>
  createInProcessTransport(handle).send(message, { ...options, ...more });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test("L1: it connects client and dispatcher, for results and errors", async () => {
  const dispatch = createDispatcher<ZoneMethods, { correlationId: string }>({
    methods: zoneMethods,
    handlers: {
      ...otherMethods,
      execute_task: ({ text: asked }, _, { id }) => ({ status: "success", response_text: asked, request: id }),
      get_async_task_result: (_, { correlationId }) => {
        throw new ZoneError("task_not_found", { agent: correlationId });
      },
      cancel_task: ({ task_id }) => ({ task_id, status: "canceled" }),
      list_agents: () => ({ agents: [] }),
      read_task_file: () => ({ bytes: "" }),
    },
    batches: "refuse",
    errorToJson,
  });
  const transport = createInProcessTransport(dispatch);
  const { call } = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 1_000 });
  const asked = { channel: "C1", text: "日本 \ud800", bot_token: "h" };
  const result = { status: "success", response_text: "日本 \ud800", request: "r1" };
  expect(await call("execute_task", asked, { id: "r1" })).toEqual(result);
  await expect(call("get_async_task_result", { task_id: "t" }, { correlationId: "c2" })).rejects.toMatchObject({
    kind: "task_not_found",
    data: { agent: "c2", correlation_id: "c2" },
  });
});

test("the server side gets the message, the session and the correlation id", async () => {
  const handle = vi.fn<HandleMessage>(async () => "answer");
  expect(text(await send(handle))).toBe("answer");
  const signal = expect.any(AbortSignal) as AbortSignal;
  expect(handle).toHaveBeenCalledExactlyOnceWith(message, { correlationId: "c1", session: "s1", signal });
});

test("the two sides share no bytes", async () => {
  const kept = new TextEncoder().encode("answer");
  const answer = await send(async (received) => {
    received.fill(0);
    return kept;
  });
  expect(text(message)).toBe("message");
  kept.fill(0);
  expect(text(answer)).toBe("answer");
});

describe("E4: rejects with a LinkError", () => {
  const invalid = { name: "LinkError", kind: "invalid_response", retryable: false };
  const waitFor =
    (signals: AbortSignal[]): HandleMessage =>
    async (_, { signal }) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    };

  test("without an answer", async () => {
    await expect(send(async () => undefined)).rejects.toMatchObject(invalid);
  });

  test("if the server side throws, synchronously or later", async () => {
    const cause = new Error("broken");
    await expect(
      send(() => {
        throw cause;
      }),
    ).rejects.toMatchObject({ ...invalid, cause });
    await expect(send(async () => Promise.reject(cause))).rejects.toMatchObject({ ...invalid, cause });
  });

  test("after the timeout, and notifies the server side", async () => {
    const signals: AbortSignal[] = [];
    await expect(send(waitFor(signals), { timeoutMs: 10 })).rejects.toMatchObject({ kind: "timeout", retryable: true });
    expect(signals[0]?.aborted).toBe(true);
  });

  test("after an abort, and notifies the server side", async () => {
    const signals: AbortSignal[] = [];
    const controller = new AbortController();
    const sending = send(waitFor(signals), { signal: controller.signal });
    controller.abort("stop");
    await expect(sending).rejects.toMatchObject({ kind: "aborted", cause: "stop", retryable: false });
    expect(signals[0]?.aborted).toBe(true);
  });

  test("if it was aborted before, and the server side gets nothing", async () => {
    const handle = vi.fn<HandleMessage>(async () => "answer");
    await expect(send(handle, { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: "aborted" });
    expect(handle).not.toHaveBeenCalled();
  });

  test("after close", async () => {
    const transport = createInProcessTransport(async () => "answer");
    await transport.close();
    await expect(transport.send(message, options)).rejects.toMatchObject({ kind: "unreachable" });
  });
});

test("an answer leaves no timer and no listener behind", async () => {
  vi.useFakeTimers();
  try {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    await send(async () => "answer", { signal });
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

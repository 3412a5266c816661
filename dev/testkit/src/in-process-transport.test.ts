import { createInProcessTransport, type HandleMessage } from "@crosszone/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import { transportContract } from "./transport.contract.ts";

transportContract("the in-process transport", async (handle) => {
  const transport = createInProcessTransport(handle);
  return { transport, stop: () => transport.close() };
});

const options = { timeoutMs: 1_000, session: "s1", correlationId: "c1" };
const message = new TextEncoder().encode("message");
const send = async (handle: HandleMessage, more: object = {}): Promise<Uint8Array> =>
  createInProcessTransport(handle).send(message, { ...options, ...more });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

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

  test("if the server side throws, synchronously or later", async () => {
    const cause = new Error("broken");
    await expect(
      send(() => {
        throw cause;
      }),
    ).rejects.toMatchObject({ ...invalid, cause });
    await expect(send(async () => Promise.reject(cause))).rejects.toMatchObject({ ...invalid, cause });
  });

  test("if it was aborted before, and the server side gets nothing", async () => {
    const handle = vi.fn<HandleMessage>(async () => "answer");
    await expect(send(handle, { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: "aborted" });
    expect(handle).not.toHaveBeenCalled();
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

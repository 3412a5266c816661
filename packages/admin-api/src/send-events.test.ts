import type { TokenScope } from "@crosszone/contracts";
import { describe, expect, test, vi } from "vitest";
import type { ApiEvent, ApiStream } from "./api-part.ts";
import { adminToken, startAdminApi, type StartOptions, watchEvents, notesPart } from "./testing/start-admin-api.ts";
import { noStoredTokens, type StoredTokens } from "./token-holder.ts";

const soon = { interval: 10 };

/** Ends when the signal aborts, and reports that. */
function endless(first: readonly ApiEvent[] = []) {
  const ended = vi.fn<() => void>();
  const events: ApiStream["events"] = async function* (signal) {
    yield first;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    ended();
  };
  return { events, ended };
}

async function start(events: ApiStream["events"], options: Partial<StartOptions> = {}) {
  const { url, refusals } = await startAdminApi({ parts: [notesPart({ watch: () => ({ events }) })], ...options });
  return { url: `${url}/notes/a/events`, refusals };
}

describe("an event stream", () => {
  test("sends simultaneous events together, one line of data each, and ends with its source", async () => {
    const { url } = await start(async function* () {
      yield [
        { event: "one", data: { text: "two\nlines\r\n" } },
        { event: "two", data: null, id: "7" },
      ];
    });
    const { status, headers, blocks } = await watchEvents(url, { "x-correlation-id": "c-1" });
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/event-stream",
      "no-store",
    ]);
    expect([headers.get("x-correlation-id"), headers.get("access-control-allow-origin")]).toEqual(["c-1", null]);
    expect(await Array.fromAsync(blocks)).toEqual([
      { retry: "1000" },
      { event: "one", data: '{"text":"two\\nlines\\r\\n"}' },
      { event: "two", id: "7", data: "null" },
    ]);
  });

  test("closes its source when its reader disconnects and when the service stops", async () => {
    const { events, ended } = endless();
    const stopping = new AbortController();
    const { url, refusals } = await start(events, { stopping: stopping.signal });
    const gone = await watchEvents(url);
    await gone.blocks.next();
    gone.leave();
    await expect.poll(() => ended.mock.calls.length, soon).toBe(1);
    const staying = await watchEvents(url);
    await staying.blocks.next();
    stopping.abort();
    expect((await staying.blocks.next()).done).toBe(true);
    expect(ended).toHaveBeenCalledTimes(2);
    expect(refusals).toEqual([]);
  });

  test("is cut when its source fails, so that the reader reconnects; the operator's log has the cause", async () => {
    const cause = new Error("the database is away");
    const { url, refusals } = await start(async function* () {
      yield [{ event: "one", data: 1 }];
      throw cause;
    });
    const { blocks } = await watchEvents(url);
    await expect(Array.fromAsync(blocks)).rejects.toThrow("terminated");
    expect(refusals).toMatchObject([{ kind: "internal", cause }]);
  });

  test("stops fetching for a reader that reads nothing, and cuts it off", async () => {
    let given = 0;
    const ended = vi.fn<() => void>();
    const large = [{ event: "one", data: "x".repeat(1_000_000) }];
    const { url } = await start(
      async function* (signal) {
        try {
          for (; !signal.aborted; given += 1) yield large;
        } finally {
          ended();
        }
      },
      { httpLimits: { readTimeoutMs: 300 } },
    );
    const response = await fetch(url, { headers: { authorization: `Bearer ${adminToken}` } });
    await expect.poll(() => ended.mock.calls.length, soon).toBe(1);
    // The buffers of the connection, at both ends.
    expect(given).toBeLessThan(50);
    await expect(response.text()).rejects.toThrow("terminated");
  });
});

describe("X23: what is still sent when its holder", () => {
  /** One token, which changes. */
  function changing() {
    const holder = { actor: "token:ci", scopes: ["runs:read", "content:read"] as TokenScope[], isLive: true };
    const stored: StoredTokens = { ...noStoredTokens, find: async () => (holder.isLive ? holder : undefined) };
    return { holder, options: { stored, heartbeatMs: 20 } };
  }
  const ci = { authorization: "Bearer the-token-of-ci-at-least-32-characters" };

  test("loses content:read, is a stream with content: it ends", async () => {
    const { holder, options } = changing();
    const { events, ended } = endless([{ event: "one", data: { text: "secret" } }]);
    const { url } = await start(events, options);
    const { blocks } = await watchEvents(url, ci);
    await blocks.next();
    holder.scopes = ["runs:read"];
    await expect.poll(() => ended.mock.calls.length).toBe(1);
  });

  test("is revoked, is an export: it is cut, and never looks whole", async () => {
    const { holder, options } = changing();
    const lines = async function* () {
      for (;;) yield await new Promise<string>((resolve) => setTimeout(() => resolve("a line\n"), 5));
    };
    const list = () => ({ lines: lines(), contentType: "application/x-ndjson" });
    const { url, refusals } = await startAdminApi({ parts: [notesPart({ list })], ...options });
    const response = await fetch(`${url}/notes`, { headers: ci });
    holder.isLive = false;
    await expect(response.text()).rejects.toThrow("terminated");
    await expect.poll(() => refusals).toMatchObject([{ kind: "unauthorized" }]);
  });
});

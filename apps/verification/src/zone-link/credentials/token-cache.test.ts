import { expect, test, vi } from "vitest";
import type { ProofHeaders } from "./credentials.ts";
import { createTokenCache, type FetchedToken } from "./token-cache.ts";

const minute = 60_000;

function setUp(lifeMs = 60 * minute) {
  let time = 1_700_000_000_000;
  const fetch = vi.fn<() => Promise<FetchedToken>>();
  fetch.mockImplementation(async () => ({ token: `token-${fetch.mock.calls.length}`, expiresAt: time + lifeMs }));
  const cache = createTokenCache({ fetch, now: () => time });
  const request = { method: "POST", target: "/rpc", body: new Uint8Array() };
  return {
    fetch,
    cache,
    pass: (ms: number) => (time += ms),
    /** Returns whether the token had to be awaited, and the token. */
    ask: async (): Promise<[waited: boolean, token: string | undefined]> => {
      const proof = cache.headers(request);
      return [proof instanceof Promise, (await proof)["authorization"]];
    },
    headers: async (): Promise<ProofHeaders> => cache.headers(request),
  };
}

test("a token is fetched once, even under concurrent requests, and is then available at once", async () => {
  const { fetch, ask } = setUp();
  const first = await Promise.all([ask(), ask(), ask()]);
  expect(first).toEqual(first.map(() => [true, "Bearer token-1"]));
  expect(await ask()).toEqual([false, "Bearer token-1"]);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("it is renewed in the background before it expires, without a wait", async () => {
  const { fetch, ask, pass } = setUp();
  await ask();
  pass(55 * minute - 1);
  await ask();
  expect(fetch).toHaveBeenCalledTimes(1);
  pass(1);
  expect(await ask()).toEqual([false, "Bearer token-1"]);
  expect(await ask()).toEqual([false, "Bearer token-2"]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("a failed renewal is retried after a while; it is an error only without a usable token", async () => {
  const { fetch, ask, pass } = setUp();
  await ask();
  fetch.mockRejectedValue(new Error("out of order"));
  pass(56 * minute);
  for (let asked = 0; asked < 5; asked += 1) expect(await ask()).toEqual([false, "Bearer token-1"]);
  expect(fetch).toHaveBeenCalledTimes(2);
  pass(10_000);
  await ask();
  expect(fetch).toHaveBeenCalledTimes(3);
  pass(4 * minute);
  await expect(ask()).rejects.toThrow("out of order");
});

test("S15: after a 401 it is fetched again, once for all requests that were refused with it", async () => {
  const { fetch, cache, ask, headers, pass } = setUp();
  const refused = await headers();
  pass(10_000);
  expect(cache.invalidate(refused)).toBe(true);
  expect(await ask()).toEqual([true, "Bearer token-2"]);
  expect(cache.invalidate(refused)).toBe(true);
  expect(await ask()).toEqual([false, "Bearer token-2"]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

// suite: both
import { anyText } from "@crosszone/contracts/any-text";
import * as fc from "fast-check";
import { randomUUID } from "node:crypto";
import { signatureHeaders, signRequest } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test } from "vitest";
import { NonceMemory, createHmacAuth } from "./hmac-auth.ts";
import { certificateNames } from "./authenticator.ts";
import { echo, startZone, task, agentThat, type TestZone } from "../../testing/start-zone.ts";

const names = (subject: string, subjectAltName?: string): string[] => certificateNames({ subject, subjectAltName });

describe("certificate names", () => {
  test("the common name and every alternative name, each with its type", () => {
    expect(
      names("C=DE\nO=Crosszone\nCN=verification", "DNS:a.example.com, URI:spiffe://x/y, IP Address:127.0.0.1"),
    ).toEqual(["CN=verification", "DNS:a.example.com", "URI:spiffe://x/y", "IP Address:127.0.0.1"]);
    expect(names("O=verification")).toEqual([]);
  });

  test("a name that looks like two names is one", () => {
    expect(names("CN=x", String.raw`URI:"spiffe://x, DNS:good, URI:y", DNS:b`)).toEqual([
      "CN=x",
      "URI:spiffe://x, DNS:good, URI:y",
      "DNS:b",
    ]);
  });

  test("a text that can't be parsed to its end has no alternative names", () => {
    for (const text of ["DNS:a, nonsense", 'DNS:a, URI:"x', 'DNS:a"b"', "DNS:a,URI:b"])
      expect(names("CN=x", text)).toEqual(["CN=x"]);
  });

  test("no quoted name, whatever it contains, adds another name", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(names("CN=x", `URI:${JSON.stringify(value)}`).length).toBeLessThanOrEqual(2);
        expect(names("CN=x", `URI:${JSON.stringify(value)}`)).not.toContain("DNS:good");
      }),
    );
  });
});

describe("nonce memory", () => {
  test("a nonce is accepted once, and remains used while its timestamp is accepted", () => {
    const memory = new NonceMemory(300, 1_000);
    expect([memory.remember(1_000, "a"), memory.remember(1_000, "a"), memory.remember(1_000, "b")]).toEqual([
      true,
      false,
      true,
    ]);
    expect(memory.remember(1_600, "c")).toBe(true);
    expect(memory.remember(1_000, "a")).toBe(false);
    expect(memory.forgottenUntil).toBe(-Infinity);
    expect(memory.remember(1_601, "d")).toBe(true);
    expect(memory.forgottenUntil).toBe(1_000);
    expect(memory.remember(1_000, "a")).toBe(false);
  });

  test("no nonce is accepted twice, in any order of any times, in bounded memory", () => {
    const request = fc.record({
      second: fc.integer({ min: 0, max: 40 }),
      nonce: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (requests, most) => {
        const memory = new NonceMemory(5, most);
        const taken = requests
          .filter(({ second, nonce }) => memory.remember(second, nonce))
          .map(({ second, nonce }) => `${second} ${nonce}`);
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });

  test("S3: a nonce is refused when its timestamp expired while the body was still arriving", () => {
    const memory = new NonceMemory(300, 2);
    expect(memory.remember(1_000, "a")).toBe(true);
    const isAcceptedByItsHeader = 1_000 > memory.forgottenUntil;
    for (const other of ["b", "c"]) memory.remember(1_001, other);
    expect([isAcceptedByItsHeader, memory.remember(1_000, "a")]).toEqual([true, false]);
  });
});

test("a zone without credentials refuses requests of web pages, whatever host name they used", async () => {
  const zone = await startZone([echo]);
  const body = JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params: task(), id: "1" });
  // What a browser adds to a POST, a page's own server included: https://fetch.spec.whatwg.org/#append-a-request-origin-header
  const ofPage = await zone.post(body, { origin: "http://rebound.example:4000" });
  expect(ofPage.status).toBe(401);
  expect(zone.log).toContainEqual(expect.objectContaining({ event: "http_refused", reason: "caller_not_allowed" }));
  expect((await zone.post(body)).status).toBe(200);
});

const secret = "a-secret-of-thirty-two-characters";

/** Returns a function that sends a recorded signed request. */
function signed(method: string, params: unknown): (zone: TestZone) => Promise<{ status: number; result: unknown }> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params });
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1_000)), randomUUID()];
  const request = { method: "POST", target: "/rpc", timestamp, nonce, body: Buffer.from(body) };
  const headers = {
    [signatureHeaders.timestamp]: timestamp,
    [signatureHeaders.nonce]: nonce,
    [signatureHeaders.signature]: signRequest(secret, request),
  };
  return async (zone) => {
    const response = await zone.post(body, headers);
    return { status: response.status, result: ((await response.json()) as { result?: unknown }).result };
  };
}

onBothEngines("a signed request that was recorded", (newDatabase) => {
  const start = async () => {
    const database = await newDatabase();
    const runs: string[] = [];
    const agent = agentThat(async ({ text }) => (runs.push(text), { response_text: `about ${text}` }));
    /** Starts another process of the zone, or the same one after a restart. It has its own memory of nonces. */
    const newProcess = () =>
      startZone([agent], {
        database,
        authenticator: createHmacAuth({
          secrets: () => [secret],
          caller: "verification",
          windowMs: 300_000,
          mostNonces: 1_000,
          now: Date.now,
        }),
      });
    return { runs, one: await newProcess(), newProcess };
  };

  test("S3: and is replayed at another process starts no second run: it finds its task", async () => {
    const { runs, one, newProcess } = await start();
    const send = signed("execute_task", task({ text: "cats" }));
    const first = await send(one);
    expect(first).toMatchObject({ status: 200, result: { status: "success", response_text: "about cats" } });
    expect(await send(one)).toMatchObject({ status: 401 });
    for (const other of [await newProcess(), await newProcess()]) expect(await send(other)).toEqual(first);
    expect(runs).toEqual(["cats"]);
  });

  test("S3: polls and cancels have no effect when they are replayed", async () => {
    const { one, newProcess } = await start();
    const { result } = await signed("execute_task", task())(one);
    const params = { task_id: (result as { task_id: string }).task_id };
    const [poll, cancel] = [signed("get_async_task_result", params), signed("cancel_task", params)];
    const before = [await poll(one), await cancel(one)];
    const other = await newProcess();
    expect([await poll(other), await cancel(other)]).toEqual(before);
    expect(await signed("get_async_task_result", params)(one)).toEqual(before[0]);
  });
});

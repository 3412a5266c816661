import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { echo, startZone, task } from "../../testing/start-zone.ts";
import { createNonceMemory } from "./hmac-auth.ts";
import { certificateNames } from "./mtls-auth.ts";

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
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(names("CN=x", `URI:${JSON.stringify(value)}`).length).toBeLessThanOrEqual(2);
        expect(names("CN=x", `URI:${JSON.stringify(value)}`)).not.toContain("DNS:good");
      }),
    );
  });
});

describe("nonce memory", () => {
  test("a nonce is accepted once, and remains used while its timestamp is accepted", () => {
    const memory = createNonceMemory(300, 1_000);
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
        const memory = createNonceMemory(5, most);
        const taken = requests
          .filter(({ second, nonce }) => memory.remember(second, nonce))
          .map(({ second, nonce }) => `${second} ${nonce}`);
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });

  test("S3: a nonce is refused when its timestamp expired while the body was still arriving", () => {
    const memory = createNonceMemory(300, 2);
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

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openFilesWarnings } from "./http-server.ts";
import { canonicalRequest, isSignedBy, type SignedRequest, signRequest } from "./signed-request.ts";
import { correlationOfRequest } from "./exchange.ts";
import { createTokenBuckets } from "../values/rates.ts";

interface Vector extends Omit<SignedRequest, "body"> {
  readonly name: string;
  readonly secret: string;
  readonly body: string;
  readonly canonical: string;
  readonly signature: string;
}

const vectors = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "request-signature.vectors.json"), "utf8"),
) as Vector[];

const request: SignedRequest = {
  method: "POST",
  target: "/rpc?zone=1",
  timestamp: "1700000000",
  nonce: "AAECAwQFBgcICQoLDA0ODw",
  body: Buffer.from("{}"),
};

const secret = "a-shared-secret-of-thirty-two-chars!";

describe("connection limits", () => {
  test.each([10_200, 1_048_576, undefined])("a limit of %s is enough for 10,000 connections", (limit) => {
    expect(openFilesWarnings({ MAX_CONNECTIONS: 10_000 }, limit)).toEqual([]);
  });
});

describe("request headers", () => {
  test.each([
    ["the header", { "x-correlation-id": "corr-1", baggage: "correlation_id=corr-2" }, "corr-1"],
    ["baggage", { baggage: "correlation_id=corr%2F2=" }, "corr/2="],
    ["baggage among other members", { baggage: "a=b;p=1, correlation_id = corr-2 ;ttl=3,c=d" }, "corr-2"],
    ["baggage, when the header is not valid", { "x-correlation-id": "é", baggage: "correlation_id=corr-2" }, "corr-2"],
  ])("L7: the correlation id is read from %s", (_name, headers, expected) => {
    expect(correlationOfRequest(headers, "request-1")).toBe(expected);
  });

  test.each([
    {},
    { baggage: "correlation_id=%ZZ" },
    { baggage: "correlation_id=a%0Ab" },
    { baggage: "x=correlation_id" },
  ])("the correlation id is the request id for %j", (headers) => {
    expect(correlationOfRequest(headers, "request-1")).toBe("request-1");
  });

  test("the id is valid for any baggage", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((value) => `correlation_id=${value}`),
        ),
        (baggage) => {
          expect(correlationOfRequest({ baggage }, "request-1")).toMatch(/^[!-~]{1,128}$/);
        },
      ),
    );
  });
});

describe("L8: one way to sign a request works for both zones and any other language", () => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))("the published vector: %s", (_name, vector) => {
    const signed = { ...vector, body: Buffer.from(vector.body) };
    expect(canonicalRequest(signed)).toBe(vector.canonical);
    expect(signRequest(vector.secret, signed)).toBe(vector.signature);
    expect(isSignedBy([vector.secret], vector.signature, signed)).toBe(true);
  });

  test("after any change the signature no longer matches", () => {
    const signature = signRequest(secret, request);
    const changed: readonly Partial<SignedRequest>[] = [
      { method: "PUT" },
      { target: "/rpc?zone=2" },
      { target: "/rpc" },
      { timestamp: "1700000001" },
      { nonce: "AAECAwQFBgcICQoLDA0ODx" },
      { body: Buffer.from("{ }") },
    ];
    for (const change of changed) expect(isSignedBy([secret], signature, { ...request, ...change })).toBe(false);
    for (const other of ["", "v1=", signature.toUpperCase(), signature.slice(0, -1), `${signature}0`])
      expect(isSignedBy([secret], other, request)).toBe(false);
  });

  test("during a rotation both secrets are valid, and no third one", () => {
    const next = `${secret}-next`;
    for (const used of [secret, next])
      expect(isSignedBy([secret, next], signRequest(used, request), request)).toBe(true);
    expect(isSignedBy([secret, next], signRequest(`${secret}-old`, request), request)).toBe(false);
    expect(isSignedBy([], signRequest(secret, request), request)).toBe(false);
  });
});

describe("token buckets", () => {
  test("a refused take costs nothing, and a bucket never exceeds its capacity", () => {
    let at = 0;
    const buckets = createTokenBuckets({ capacity: 2, perMinute: 60, now: () => at });
    for (let index = 0; index < 50; index += 1) buckets.take("U1");
    at += 1_000;
    expect(buckets.take("U1")).toBe(0);
    at += 3_600_000;
    expect([1, 2, 3].map(() => buckets.take("U1"))).toEqual([0, 0, 1_000]);
  });

  test("O21: a token that is given back can be taken again, and fills no bucket beyond its capacity", () => {
    const buckets = createTokenBuckets({ capacity: 2, perMinute: 1, now: () => 0 });
    for (let index = 0; index < 50; index += 1) {
      expect(buckets.take("a")).toBe(0);
      buckets.giveBack("a");
    }
    buckets.giveBack("a");
    buckets.giveBack("unknown");
    expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 60_000]);
  });

  test("each key has its own bucket, and the number of remembered keys is limited", () => {
    const buckets = createTokenBuckets({ capacity: 1, perMinute: 1, most: 2, now: () => 0 });
    expect(["a", "b", "a"].map((key) => buckets.take(key))).toEqual([0, 0, 60_000]);
    buckets.take("c");
    expect(buckets.take("a")).toBe(60_000);
    expect(buckets.take("b")).toBe(0);
  });
});

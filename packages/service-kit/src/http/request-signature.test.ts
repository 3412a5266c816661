import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalRequest, isSignedBy, signRequest, type SignedRequest } from "./request-signature.ts";

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

  test("no body can imitate the signed text of another request", () => {
    const part = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.uint8Array(), part, (body, given) => {
        const signature = signRequest(secret, { ...request, body });
        expect(isSignedBy([secret], signature, { ...request, body })).toBe(true);
        expect(isSignedBy([secret], given, { ...request, body })).toBe(false);
      }),
    );
  });
});

// suite: rest
// @module-tag judge
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { signatureHeaders, signRequest, type SignedRequest } from "@crosszone/service-kit";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, test } from "vitest";
import { accepted, openLink, postTo, refusedBy, startAnswering, type Route } from "../harness/connect-https.ts";
import { startTestClouds } from "../harness/test-clouds.ts";

const clouds = await startTestClouds();

const secret = "the-secret-that-both-zones-sign-with";
const now = (): number => Math.floor(Date.now() / 1_000);

const start = (variables: Record<string, string> = {}): Promise<Route> =>
  startAnswering({ CALLER_AUTH: "hmac", EXECUTION_TOKEN: secret, ...variables });

interface Signed {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Returns a request as verification signs it, with these changes. */
function signed({ key = secret, ...changes }: Partial<SignedRequest> & { key?: string } = {}): Signed {
  const body = Buffer.from(changes.body ?? "{}");
  const nonce = randomBytes(16).toString("base64url");
  const request = { method: "POST", target: "/rpc", timestamp: String(now()), nonce, ...changes, body };
  return {
    headers: {
      [signatureHeaders.timestamp]: request.timestamp,
      [signatureHeaders.nonce]: request.nonce,
      [signatureHeaders.signature]: signRequest(key, request),
    },
    body: body.toString(),
  };
}

const refusedFor = refusedBy("Crosszone-HMAC");

describe("a signed request is refused that", () => {
  const wrong: [what: string, reason: string, request: () => Signed][] = [
    ["was signed with another secret", "signature_wrong", () => signed({ key: `${secret}!` })],
    ["has another body", "signature_wrong", () => ({ ...signed(), body: '{"a":1}' })],
    ["was signed for another path", "signature_wrong", () => signed({ target: "/invocations" })],
    ["was signed for another method", "signature_wrong", () => signed({ method: "PUT" })],
    ["has another nonce", "signature_wrong", () => withHeader("nonce", randomBytes(16).toString("base64url"))],
    ["has another time", "signature_wrong", () => withHeader("timestamp", String(now() - 5))],
    ["is older than the window", "timestamp_stale", () => signed({ timestamp: String(now() - 302) })],
    ["is from a future beyond the window", "timestamp_in_future", () => signed({ timestamp: String(now() + 303) })],
    ["has a time that is no number", "token_malformed", () => signed({ timestamp: "1e9" })],
    ["has a short nonce", "token_malformed", () => signed({ nonce: "short" })],
    ["has a signature of another form", "token_malformed", () => withHeader("signature", "v0=abc")],
  ];

  test.each(wrong)("%s: %s", async (_what, reason, request) => {
    const route = await start();
    expect(await postTo(route, request())).toEqual(refusedFor(reason));
    expect(await postTo(route, signed())).toEqual(accepted);
  });

  test("lacks one of the three headers: the answer names all three", async () => {
    const route = await start();
    for (const name of Object.values(signatureHeaders)) {
      const { headers, body } = signed();
      delete headers[name];
      const message = "sign the request: x-crosszone-timestamp, x-crosszone-nonce, x-crosszone-signature";
      expect(await postTo(route, { headers, body })).toEqual({
        status: 401,
        challenge: "Crosszone-HMAC",
        message,
        reason: "credentials_missing",
      });
    }
  });

  test("S3: was sent before; the same nonce in another request is refused too", async () => {
    const route = await start();
    const request = signed();
    expect(await postTo(route, request)).toEqual(accepted);
    for (let replay = 0; replay < 3; replay += 1)
      expect(await postTo(route, request)).toEqual(refusedFor("nonce_replayed"));
    const { [signatureHeaders.nonce]: nonce = "", [signatureHeaders.timestamp]: timestamp = "" } = request.headers;
    expect(await postTo(route, signed({ nonce, timestamp, body: Buffer.from("[]") }))).toEqual(
      refusedFor("nonce_replayed"),
    );
  });

  test("was sent before, even beyond the memory for nonces, which is bounded and refuses in doubt", async () => {
    const route = await start(tune({ EXECUTION_HMAC_NONCES: 1_000 }));
    const early = signed({ timestamp: String(now() - 100) });
    expect(await postTo(route, early)).toEqual(accepted);
    for (let sent = 0; sent < 1_000; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => postTo(route, signed())));
    expect(await postTo(route, early)).toEqual(refusedFor("timestamp_stale"));
    expect(await postTo(route, signed({ timestamp: String(now() + 1) }))).toEqual(accepted);
  });
});

test("S2: a request at either edge of the window is accepted", async () => {
  const route = await start();
  for (const offset of [-297, 297])
    expect(await postTo(route, signed({ timestamp: String(now() + offset) }))).toEqual(accepted);
});

test("a forged request does not use up the nonce of the real one", async () => {
  const route = await start();
  const real = signed();
  const forged = { ...real.headers, [signatureHeaders.signature]: `v1=${"0".repeat(64)}` };
  expect(await postTo(route, { headers: forged })).toEqual(refusedFor("signature_wrong"));
  expect(await postTo(route, real)).toEqual(accepted);
});

describe("S15: while the secret is replaced", () => {
  const next = "the-next-secret-that-they-sign-with!";

  test("the old and the new one are accepted, and later only the new one", async () => {
    const during = await start({ EXECUTION_TOKEN: `${next},${secret}` });
    for (const key of [secret, next]) expect(await postTo(during, signed({ key }))).toEqual(accepted);
    const after = await start({ EXECUTION_TOKEN: next });
    expect(await postTo(after, signed({ key: secret }))).toEqual(refusedFor("signature_wrong"));
  });

  test("in the files of both zones, both continue without a restart", async () => {
    const [here, there] = [clouds.file("secret-here", secret), clouds.file("secret-there", secret)];
    const route = await startAnswering({ CALLER_AUTH: "hmac", EXECUTION_TOKEN_FILE: there });
    const call = openLink(route.url, { EXECUTION_CREDENTIALS: "hmac", EXECUTION_TOKEN_FILE: here });
    expect(await call()).toContain('"result"');
    writeFileSync(there, next);
    await expect.poll(call).toContain("Unauthorized");
    writeFileSync(here, next);
    expect(await call()).toContain('"result"');
  });
});

function withHeader(name: keyof typeof signatureHeaders, value: string): Signed {
  const { headers, body } = signed();
  return { headers: { ...headers, [signatureHeaders[name]]: value }, body };
}

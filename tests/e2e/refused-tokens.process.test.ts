// suite: rest
// @module-tag judge
import { writeFileSync } from "node:fs";
import { startIdentityProvider, startTokenService } from "@crosszone/testkit";
import { tune } from "@crosszone/testkit/tune";
import { exportSPKI, importJWK, SignJWT, type JWTPayload } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  accepted,
  openLink,
  postTo,
  refusedBy,
  startAnswering,
  type Posted,
  type Route,
} from "../harness/connect-https.ts";
import { googleAccount, googleCheck, googleSource, startTestClouds } from "../harness/test-clouds.ts";

const clouds = await startTestClouds();

const audience = "https://execution.example.com";
const send = (route: Route, token: string): Promise<Posted> =>
  postTo(route, { headers: { authorization: `Bearer ${token}` } });
const now = (): number => Math.floor(Date.now() / 1_000);
const good = (): JWTPayload => ({
  aud: audience,
  sub: googleAccount.sub,
  email: googleAccount.email,
  email_verified: true,
});
const mint = (claims: Record<string, unknown> = {}): Promise<string> => clouds.google.mint({ ...good(), ...claims });

const missing = "send a token of the zone's identity provider as Authorization: Bearer";

describe("a token is refused that is", () => {
  const wrong: [what: string, reason: string, token: () => Promise<string>][] = [
    ["expired", "token_expired", () => mint({ exp: now() - 60 })],
    ["not yet valid", "token_not_yet_valid", () => mint({ nbf: now() + 60 })],
    ["for another audience", "token_wrong_audience", () => mint({ aud: "https://else.example.com" })],
    ["of another issuer", "token_wrong_issuer", () => mint({ iss: "https://accounts.example.com" })],
    ["without an end", "token_malformed", () => mint({ exp: undefined })],
    ["without a subject", "token_malformed", () => mint({ sub: undefined })],
    ["with an empty subject", "token_malformed", () => mint({ sub: "" })],
    ["with a subject that is no text", "token_malformed", () => mint({ sub: { id: googleAccount.sub } })],
    [
      "of a caller that is not on the list",
      "caller_not_allowed",
      () => mint({ email: "someone@demo.iam.gserviceaccount.com" }),
    ],
    ["of a caller with an unverified email", "caller_not_allowed", () => mint({ email_verified: false })],
    [
      "of a caller that is on the list by another claim",
      "caller_not_allowed",
      () => mint({ email: "x", oid: googleAccount.email }),
    ],
    ["no token", "token_malformed", async () => "abc"],
    [
      "changed",
      "signature_wrong",
      async () =>
        (await mint()).replace(
          /\.[^.]*\./,
          `.${claimsText({ ...good(), exp: now() + 60, iss: clouds.google.issuer })}.`,
        ),
    ],
    [
      "without its signature, as Cloud Run hands it on",
      "signature_wrong",
      async () => (await mint()).replace(/[^.]*$/, "SIGNATURE_REMOVED_BY_GOOGLE"),
    ],
    ["not signed at all", "token_wrong_algorithm", async () => `${claimsText({ alg: "none" })}.${claimsText(good())}.`],
    ["signed with the public key as a shared secret", "token_wrong_algorithm", signedWithPublicKey],
    ["signed with an unpublished key", "token_unknown_key", async () => signedElsewhere()],
  ];

  test.each(wrong)("%s: %s", async (_what, reason, token) => {
    const route = await startAnswering(googleCheck(clouds, audience));
    expect(await send(route, await token())).toEqual(refusedBy('Bearer error="invalid_token"')(reason));
    expect(await send(route, await mint())).toEqual(accepted);
  });

  test("missing: the answer says what to send", async () => {
    const route = await startAnswering(googleCheck(clouds, audience));
    const none: Posted = { status: 401, challenge: "Bearer", message: missing, reason: "credentials_missing" };
    expect(await postTo(route)).toEqual(none);
    expect(await postTo(route, { headers: { authorization: "Basic YTpi" } })).toEqual(none);
  });
});

test("clocks may differ by the skew, and a cached token is not accepted after its expiry", async () => {
  const route = await startAnswering({
    ...googleCheck(clouds, audience),
    ...tune({ EXECUTION_JWT_CLOCK_SKEW_MS: 5_000 }),
  });
  expect(await send(route, await mint({ nbf: now() + 3 }))).toEqual(accepted);
  const short = await mint({ exp: now() + 1 });
  expect(await send(route, short)).toEqual(accepted);
  await expect.poll(async () => (await send(route, short)).reason, { interval: 500 }).toBe("token_expired");
});

describe("the issuer's keys", () => {
  test("S15: a new key is fetched when a token names it; unknown keys cause no more fetches than the cooldown allows", async () => {
    const provider = await startIdentityProvider("https://accounts.google.com");
    onTestFinished(() => provider.service.stop());
    const variables = { ...googleCheck(clouds, audience), CALLER_JWT_JWKS: provider.jwksUrl };
    const patient = await startAnswering(variables);
    const quick = await startAnswering(tune({ EXECUTION_JWT_JWKS_COOLDOWN_MS: 0 }, variables));
    for (const route of [patient, quick]) expect(await send(route, await provider.mint(good()))).toEqual(accepted);
    expect(provider.fetched()).toBe(2);
    await provider.rotate();
    const rotated = await provider.mint(good());
    for (let sent = 0; sent < 5; sent += 1)
      expect(await send(patient, rotated)).toMatchObject({ status: 401, reason: "token_unknown_key" });
    expect(provider.fetched()).toBe(2);
    expect(await send(quick, rotated)).toEqual(accepted);
    expect(provider.fetched()).toBe(3);
  });

  test("that are unavailable cause a 503, and the caller may retry", async () => {
    const provider = await startIdentityProvider("https://accounts.google.com");
    onTestFinished(() => provider.service.stop());
    const route = await startAnswering({ ...googleCheck(clouds, audience), CALLER_JWT_JWKS: provider.jwksUrl });
    provider.service.outage = 500;
    expect(await send(route, await provider.mint(good()))).toMatchObject({ status: 503, reason: "auth_unavailable" });
    provider.service.outage = undefined;
    expect(await send(route, await provider.mint(good()))).toEqual(accepted);
  });

  test("in an endless answer are not read to the end", async () => {
    const flood = await startTokenService(() => ({ status: 200, body: `{"keys":[],"x":"${"y".repeat(300_000)}"}` }));
    onTestFinished(() => flood.stop());
    const route = await startAnswering({ ...googleCheck(clouds, audience), CALLER_JWT_JWKS: `${flood.url}/certs` });
    expect(await send(route, await mint())).toMatchObject({ status: 503, reason: "auth_unavailable" });
    expect(String(route.refusals[0]?.["cause"])).toContain("larger than 262144 bytes");
  });
});

describe("S15: a token that was replaced", () => {
  const [old, next] = ["the-old-token-of-both-zones-is-long", "the-new-token-of-both-zones-is-long"];

  test("in the file of either zone is used without a restart; a refused request is retried once with it", async () => {
    const [here, there] = [clouds.file("token-here", old), clouds.file("token-there", old)];
    const route = await startAnswering({ EXECUTION_TOKEN_FILE: there });
    const call = openLink(route.url, { EXECUTION_TOKEN_FILE: here });
    expect(await call()).toContain('"result"');
    writeFileSync(there, `${next}\n`);
    await expect.poll(() => call()).toContain("Unauthorized");
    const before = route.refusals.length;
    writeFileSync(here, `${next}\n`);
    expect(await call()).toContain('"result"');
    expect(route.refusals.length - before).toBeLessThanOrEqual(1);
    expect(route.refusals.map(({ reason }) => reason)).toContain("token_wrong");
  });

  test("at Google is not fetched again after a refusal if it is new", async () => {
    const route = await startAnswering(googleCheck(clouds, audience));
    const call = openLink(route.url, { ...googleSource(clouds), EXECUTION_AUDIENCE: "https://else.example.com" });
    const asked = clouds.metadata.asked.length;
    for (const refused of await Promise.all(Array.from({ length: 10 }, call)))
      expect(refused).toContain("Unauthorized");
    expect(clouds.metadata.asked.length - asked).toBe(1);
    expect(route.refusals).toHaveLength(10);
  });
});

const claimsText = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString("base64url");

async function signedWithPublicKey(): Promise<string> {
  const [jwk = {}] = clouds.google.keys().keys;
  const publicKey = await exportSPKI((await importJWK({ ...jwk, ext: true }, "RS256")) as CryptoKey);
  return sign({ alg: "HS256", kid: "key-1" }, Buffer.from(publicKey));
}

async function signedElsewhere(): Promise<string> {
  const stranger = await startIdentityProvider(clouds.google.issuer);
  await stranger.rotate();
  await stranger.service.stop();
  return stranger.mint(good());
}

function sign(header: { alg: string; kid: string }, key: Uint8Array): Promise<string> {
  const claims = { ...good(), iss: clouds.google.issuer, exp: now() + 60 };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

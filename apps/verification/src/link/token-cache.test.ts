import {
  type IdentityProvider,
  startAzureIdentityEndpoint,
  startAzureInstanceMetadata,
  startGoogleMetadata,
  startIdentityProvider,
  startTokenService,
} from "@crosszone/testkit";
import { decodeJwt } from "jose";
import { expect, test, vi, afterAll, beforeAll, describe, onTestFinished } from "vitest";
import {
  createEntraToken,
  createGoogleIdToken,
  createTokenCache,
  type LinkCredentials,
  type EntraTokenOptions,
  type FetchedToken,
  type ProofHeaders,
} from "./credentials.ts";

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

const now = (): number => Date.now();
const account = { sub: "104242", email: "verification@demo.iam.gserviceaccount.com" };
const identity = { appid: "app-1", oid: "object-1" };
const header = "secret-header-of-the-endpoint";

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider("https://issuer.example.com");
});
afterAll(() => provider.service.stop());

const headersOf = async (credentials: LinkCredentials): Promise<Readonly<Record<string, string>>> =>
  credentials.headers({ method: "POST", target: "/rpc", body: new Uint8Array() });
const tokenOf = async (credentials: LinkCredentials) =>
  decodeJwt((await headersOf(credentials))["authorization"]?.slice("Bearer ".length) ?? "");

describe("Google", () => {
  const audience = "https://execution.example.com/?a=b&c";
  const start = async () => {
    const metadata = await startGoogleMetadata(provider, account);
    onTestFinished(() => metadata.stop());
    return { metadata, credentials: createGoogleIdToken({ audience, metadataHost: new URL(metadata.url).host, now }) };
  };

  test("an ID token for the audience, with the email that execution verifies", async () => {
    const { credentials } = await start();
    expect(await tokenOf(credentials)).toMatchObject({ aud: audience, ...account, email_verified: true });
  });

  test("is sent twice: for Cloud Run, which strips its signature, and for the zone", async () => {
    const { credentials } = await start();
    const { authorization, ...others } = await headersOf(credentials);
    expect(others).toEqual({ "x-serverless-authorization": authorization });
  });

  test("an outage is an error with its status; the next request gets a token", async () => {
    const { metadata, credentials } = await start();
    metadata.outage = 503;
    await expect(headersOf(credentials)).rejects.toThrow(
      /^127\.0\.0\.1:\d+\/computeMetadata\/.* responded with 503: out of order$/,
    );
    metadata.outage = undefined;
    expect(await tokenOf(credentials)).toMatchObject({ aud: audience });
  });

  test.each(["", "<html>Sign in</html>", "a.b.c", `a.${Buffer.from("{}").toString("base64url")}.c`])(
    "a malformed token is not sent: %j",
    async (body) => {
      const odd = await startTokenService(() => ({ status: 200, body }));
      onTestFinished(() => odd.stop());
      const credentials = createGoogleIdToken({ audience, metadataHost: new URL(odd.url).host, now });
      await expect(headersOf(credentials)).rejects.toThrow("no valid ID token");
    },
  );
});

describe("Microsoft Entra", () => {
  const scope = "api://crosszone/.default";
  const endpoint = async (options: Partial<EntraTokenOptions> = {}, given = header) => {
    const service = await startAzureIdentityEndpoint(provider, identity, header);
    onTestFinished(() => service.stop());
    const source = { endpoint: `${service.url}/msi/token`, header: given };
    return { service, credentials: createEntraToken({ scope, source, now, ...options }) };
  };
  const virtualMachine = async (options: Partial<EntraTokenOptions> = {}) => {
    const service = await startAzureInstanceMetadata(provider, identity);
    onTestFinished(() => service.stop());
    const source = { instanceMetadata: service.url };
    return { service, credentials: createEntraToken({ scope, source, now, ...options }) };
  };

  test.each([
    ["the identity endpoint", endpoint],
    ["the instance metadata service", virtualMachine],
  ])("%s returns a token for the resource of the scope and the requested identity", async (_name, start) => {
    for (const options of [{}, { clientId: identity.appid }]) {
      const { service, credentials } = await start(options);
      expect(await tokenOf(credentials)).toMatchObject({ aud: "api://crosszone", ...identity });
      expect(service.asked[0]?.searchParams.get("client_id")).toBe(options.clientId ?? null);
    }
    const { credentials } = await start({ clientId: "no-such-identity" });
    await expect(headersOf(credentials)).rejects.toThrow(/responded with 400: .*Identity not found/);
  });

  test("a wrong header for the endpoint is an error that does not reveal it", async () => {
    const { credentials } = await endpoint({}, "wrong-header");
    const error: unknown = await headersOf(credentials).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/responded with 401: /);
    expect(String(error)).not.toContain("wrong-header");
  });

  test.each(["", "null", "{}", '{"access_token":"secret"}', '{"access_token":7,"expires_on":"1"}'])(
    "a malformed token is neither sent nor shown: %j",
    async (body) => {
      const odd = await startTokenService(() => ({ status: 200, body }));
      onTestFinished(() => odd.stop());
      const { credentials } = await virtualMachine({ source: { instanceMetadata: odd.url } });
      await expect(headersOf(credentials)).rejects.toThrow(/no valid token$/);
    },
  );
});

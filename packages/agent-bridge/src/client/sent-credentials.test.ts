import type { AgentAuth, AgentAuthOAuth2ClientCredentials } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import { createOAuth2Tokens } from "./credentials.ts";
import { createSecretRules, createSecretSource } from "./secret-source.ts";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf, requestTo } from "../testing/start-call.ts";
import { startServer, bodyOf } from "../testing/http-agents.ts";

const environment: Record<string, string> = {
  AGENT_SECRET_TOKEN: "t0p-secret",
  AGENT_SECRET_PASSWORD: "pässword:1",
  AGENT_SECRET_QUOTED: 'a"quoted\\key',
  AGENT_SECRET_BROKEN: "two\nlines",
};

/** The headers that an agent with this `auth` receives. */
async function headersFor(auth: AgentAuth, own: Record<string, string> = {}) {
  const seen: NodeJS.Dict<string | string[]>[] = [];
  const url = await startServer((request, response) => {
    seen.push(request.headers);
    response.end("{}");
  });
  const client = clientOf({ origins: [url], secrets: createSecretSource({ environment }) });
  await client.send({ ...requestTo(url, { headers: own }), agent: agentOf({ url, auth }) });
  return seen[0] ?? {};
}

test("B9: the configured bearer token is sent, whatever headers the caller adds", async () => {
  const auth: AgentAuth = { type: "bearer", token: "env:AGENT_SECRET_TOKEN" };
  expect((await headersFor(auth, { Authorization: "Bearer other" })).authorization).toBe("Bearer t0p-secret");
});

test("B9: an API key is sent in its header only, and user and password in UTF-8", async () => {
  const key = await headersFor({ type: "api_key", header: "X-Api-Key", value: "env:AGENT_SECRET_TOKEN" });
  expect([key["x-api-key"], key.authorization]).toEqual(["t0p-secret", undefined]);
  const basic = await headersFor({ type: "basic", username: "crosszone", password: "env:AGENT_SECRET_PASSWORD" });
  expect(basic.authorization).toBe(`Basic ${Buffer.from("crosszone:pässword:1").toString("base64")}`);
});

test("B9: the failure for a missing or invalid secret shows its name but not its value", async () => {
  await expect(headersFor({ type: "bearer", token: "env:AGENT_SECRET_NONE" })).rejects.toMatchObject({
    kind: "secret_unavailable",
    message: "The secret env:AGENT_SECRET_NONE is not available: the variable is not set.",
  });
  await expect(headersFor({ type: "bearer", token: "env:AGENT_SECRET_BROKEN" })).rejects.toMatchObject({
    kind: "secret_unavailable",
    message: "The secret env:AGENT_SECRET_BROKEN contains characters that are invalid in an HTTP header.",
  });
});

test("I7: a secret is read only for its own origins, both for calls and for cards", async () => {
  const url = await startServer((_, response) => void response.end("{}"));
  const read = vi.fn<(reference: string) => Promise<string>>(async () => "t0p-secret");
  const ask = (origin: string, source: "api" | "file" = "api") => {
    const secretRules = createSecretRules({ bindings: [`env:AGENT_SECRET_TOKEN=${origin}`] });
    const client = clientOf({ origins: [url], secrets: { read }, secretRules });
    const agent = agentOf({ url, source, auth: { type: "bearer", token: "env:AGENT_SECRET_TOKEN" } });
    return {
      post: () => client.send({ ...requestTo(url), agent }),
      card: () => client.fetchCard({ ...requestTo(url), agent }),
    };
  };
  for (const stranger of [ask("https://agents.example.com"), ask("https://agents.example.com", "file")])
    for (const request of [stranger.post, stranger.card])
      await expect(request()).rejects.toMatchObject({ kind: "secret_unavailable", retryable: false });
  expect(read).not.toHaveBeenCalled();
  expect((await ask(url).post()).status).toBe(200);
  expect(read).toHaveBeenCalledOnce();
});

test("credentials are sent only to the agent: not after a redirect, and not to the root of another host", async () => {
  const strangers: unknown[] = [];
  const stranger = await startServer((request, response) => {
    strangers.push(request.headers);
    response.end("{}");
  });
  const url = await startServer((_, response) => {
    response.writeHead(307, { location: `${stranger}/` }).end();
  });
  const origins = [url, stranger];
  const client = clientOf({ origins, secrets: createSecretSource({ environment }) });
  const agent = agentOf({ url, auth: { type: "bearer", token: "env:AGENT_SECRET_TOKEN" } });
  await expect(client.send({ ...requestTo(url), agent })).rejects.toMatchObject({ kind: "redirect_refused" });
  await expect(client.fetchCard({ ...requestTo(url), agent })).rejects.toMatchObject({ kind: "redirect_refused" });
  expect(strangers).toEqual([]);
});

test.each<[what: string, auth: AgentAuth]>([
  ["a token", { type: "bearer", token: "env:AGENT_SECRET_TOKEN" }],
  ["an API key", { type: "api_key", header: "X-Api-Key", value: "env:AGENT_SECRET_QUOTED" }],
  ["a user and a password", { type: "basic", username: "crosszone", password: "env:AGENT_SECRET_PASSWORD" }],
])("R4.1, B23: an agent that echoes its request does not leak %s into an answer", async (_, auth) => {
  const url = await startServer(({ headers }, response) => {
    const [, pair = ""] = String(headers.authorization).split("Basic ");
    response.end(
      Buffer.concat([
        Buffer.from(JSON.stringify({ headers, pair: Buffer.from(pair, "base64").toString() })),
        Buffer.from([0xff, 0]),
      ]),
    );
  });
  const client = clientOf({ origins: [url], secrets: createSecretSource({ environment }) });
  const { body } = await client.send({ ...requestTo(url), agent: agentOf({ url, auth }) });
  const text = Buffer.from(body).toString();
  for (const secret of [...Object.values(environment), Buffer.from("crosszone:pässword:1").toString("base64")]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  expect(text).toContain("[redacted]");
  expect(body.subarray(-2)).toEqual(Buffer.from([0xff, 0]));
});

const clientSecret = "s&cret é";
const oauth: AgentAuthOAuth2ClientCredentials = {
  type: "oauth2_client_credentials",
  token_url: "https://h/",
  client_id: "cross zone",
  client_secret: "env:AGENT_SECRET_OAUTH",
};

interface Behavior {
  /** What the token endpoint answers; tokens with a number when absent. */
  readonly answer?: { readonly status: number; readonly body: string; readonly location?: string };
  /** Tokens that the agent accepts; all of them when absent. */
  readonly good?: RegExp;
  readonly listed?: "agent only";
}

async function startBoth({ answer, good = /./, listed }: Behavior = {}) {
  const asked: { readonly authorization: string | undefined; readonly form: URLSearchParams }[] = [];
  const tokens: (string | undefined)[] = [];
  const tokenOrigin = await startServer(async (request, response) => {
    const body = await bodyOf(request);
    asked.push({ authorization: request.headers.authorization, form: new URLSearchParams(body) });
    const usual = { access_token: `token-${asked.length}`, token_type: "Bearer", expires_in: 3_600 };
    const { status, body: text, location } = answer ?? { status: 200, body: JSON.stringify(usual) };
    response.writeHead(status, location === undefined ? {} : { location }).end(text);
  });
  const url = await startServer((request, response) => {
    const { authorization = "" } = request.headers;
    tokens.push(authorization);
    request.resume();
    response.writeHead(good.test(authorization) ? 200 : 401).end("{}");
  });
  const auth = { ...oauth, token_url: `${tokenOrigin}/token`, scope: "agents:call", audience: "scout" };
  const origins = listed === undefined ? [url, tokenOrigin] : [url];
  const client = clientOf({
    origins,
    secrets: createSecretSource({ environment: { AGENT_SECRET_OAUTH: clientSecret } }),
  });
  const call = () => client.send({ ...requestTo(url), agent: agentOf({ url, auth }) });
  return { asked, tokens, call };
}

test("B9: a token is requested by client credentials, once for many calls, and sent to the agent", async () => {
  const { asked, tokens, call } = await startBoth();
  await Promise.all(Array.from({ length: 20 }, call));
  await call();
  expect(asked).toHaveLength(1);
  expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
    grant_type: "client_credentials",
    scope: "agents:call",
    audience: "scout",
  });
  // RFC 6749, section 2.3.1: both halves are form-encoded first.
  const pair = Buffer.from(asked[0]?.authorization?.replace("Basic ", "") ?? "", "base64").toString();
  expect(pair).toBe("cross+zone:s%26cret+%C3%A9");
  expect(new Set(tokens)).toEqual(new Set(["Bearer token-1"]));
});

test("a token that the agent refuses is replaced, and the call is made once more", async () => {
  const { asked, tokens, call } = await startBoth({ good: /token-2/ });
  expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(200);
  expect(tokens).toEqual(["Bearer token-1", "Bearer token-2", "Bearer token-2"]);
  expect(asked).toHaveLength(2);
});

test("an agent that refuses the new token too is not called a third time", async () => {
  const { tokens, call } = await startBoth({ good: /never/ });
  expect((await call()).status).toBe(401);
  expect(tokens).toHaveLength(2);
});

test.each([
  [400, '{"error":"invalid_client","error_description":"s&cret"}', "unauthorized", "(HTTP 400: invalid_client)"],
  [401, "<html>s&cret</html>", "unauthorized", "(HTTP 401)"],
  [503, '{"error":"s&cret é"}', "http_unavailable", "(HTTP 503)"],
  [429, "", "rate_limited", "(HTTP 429)"],
  [200, "{}", "unauthorized", "without a bearer token"],
  [200, '{"access_token":"a b","token_type":"bearer"}', "unauthorized", "without a bearer token"],
  [200, '{"access_token":"a","token_type":"mac"}', "unauthorized", "without a bearer token"],
  [200, `"${"x".repeat(300_000)}"`, "response_too_large", "larger than"],
])("a token endpoint's HTTP %i without a token is a failure that repeats no secret, %#", async (...row) => {
  const [status, body, kind, says] = row;
  const { asked, tokens, call } = await startBoth({ answer: { status, body } });
  const message = expect.stringMatching(new RegExp(`^(?!.*s&cret).*token endpoint.*${RegExp.escape(says)}`)) as string;
  await expect(call()).rejects.toMatchObject({ kind, message });
  expect(tokens).toEqual([]);
  // A failure is not cached.
  await expect(call()).rejects.toMatchObject({ kind });
  expect(asked).toHaveLength(2);
});

test("a token endpoint follows the agent's rules: its address is checked and its redirects are refused", async () => {
  const unlisted = await startBoth({ listed: "agent only" });
  await expect(unlisted.call()).rejects.toMatchObject({ kind: "address_refused" });
  expect(unlisted.asked).toEqual([]);
  const redirecting = await startBoth({ answer: { status: 307, body: "", location: "http://169.254.169.254/" } });
  await expect(redirecting.call()).rejects.toMatchObject({ kind: "redirect_refused" });
});

test("a token is renewed before it expires, according to its endpoint's lifetime", async () => {
  const clock = { at: 0 };
  const lives: unknown[] = [3_600, "100", undefined, 1e9, -1];
  let count = 0;
  const post = async () => {
    const body = JSON.stringify({ access_token: `t${(count += 1)}`, expires_in: lives[count - 1] });
    return { status: 200, headers: {}, body: Buffer.from(body) };
  };
  const tokens = createOAuth2Tokens(post, () => clock.at);
  const at = (seconds: number): Promise<string> => {
    clock.at += seconds * 1_000;
    return tokens.get(oauth, "s");
  };
  expect([await at(0), await at(3_539), await at(1)]).toEqual(["t1", "t1", "t2"]);
  expect([await at(79), await at(1)]).toEqual(["t2", "t3"]);
  expect([await at(239), await at(1)]).toEqual(["t3", "t4"]);
  expect([await at(86_339), await at(1)]).toEqual(["t4", "t5"]);
  expect(await tokens.get({ ...oauth, scope: "other" }, "s")).toBe("t6");
  expect(await tokens.get(oauth, "rotated")).toBe("t7");
  tokens.drop("t1");
  expect(await tokens.get(oauth, "rotated")).toBe("t7");
  tokens.drop("t7");
  expect(await tokens.get(oauth, "rotated")).toBe("t8");
});

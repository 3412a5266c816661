import type { AgentAuthOAuth2ClientCredentials } from "@crosszone/contracts";
import { expect, test } from "vitest";
import type { AgentFailure } from "../../protocol/agent-failure.ts";
import { createSecretSource } from "../../secrets/secret-source.ts";
import { agentOf } from "../../testing/agent-record.ts";
import { clientOf, requestTo } from "../../testing/client-of.ts";
import { bodyOf, startServer } from "../../testing/http-agents.ts";
import { createOAuth2Tokens } from "./oauth2-tokens.ts";

const clientSecret = "s&cret é";
const environment = { AGENT_SECRET_OAUTH: clientSecret };

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
  const tokenPort = await startServer(async (request, response) => {
    const body = await bodyOf(request);
    asked.push({ authorization: request.headers.authorization, form: new URLSearchParams(body) });
    const usual = { access_token: `token-${asked.length}`, token_type: "Bearer", expires_in: 3_600 };
    const { status, body: text, location } = answer ?? { status: 200, body: JSON.stringify(usual) };
    response.writeHead(status, location === undefined ? {} : { location }).end(text);
  });
  const port = await startServer((request, response) => {
    const { authorization = "" } = request.headers;
    tokens.push(authorization);
    request.resume();
    response.writeHead(good.test(authorization) ? 200 : 401).end("{}");
  });
  const url = `http://127.0.0.1:${port}/`;
  const token_url = `http://127.0.0.1:${tokenPort}/token`;
  const auth: AgentAuthOAuth2ClientCredentials = {
    type: "oauth2_client_credentials",
    token_url,
    client_id: "cross zone",
    client_secret: "env:AGENT_SECRET_OAUTH",
    scope: "agents:call",
    audience: "scout",
  };
  const origins = listed === undefined ? [url, new URL(token_url).origin] : [url];
  const client = clientOf({ origins, secrets: createSecretSource({ environment }) });
  const call = () => client.post({ ...requestTo(url), agent: agentOf({ url, auth }) });
  return { asked, tokens, call };
}

const failureOf = (call: () => Promise<unknown>): Promise<AgentFailure> =>
  call().then(
    () => Promise.reject(new Error("no failure")),
    (error: unknown) => error as AgentFailure,
  );

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
  {
    status: 400,
    body: '{"error":"invalid_client","error_description":"s&cret"}',
    kind: "unauthorized",
    says: "(HTTP 400: invalid_client)",
  },
  { status: 401, body: "<html>s&cret</html>", kind: "unauthorized", says: "(HTTP 401)" },
  { status: 503, body: '{"error":"s&cret é"}', kind: "http_unavailable", says: "(HTTP 503)" },
  { status: 429, body: "", kind: "rate_limited", says: "(HTTP 429)" },
  { status: 200, body: "{}", kind: "unauthorized", says: "without a bearer token" },
  {
    status: 200,
    body: '{"access_token":"a b","token_type":"bearer"}',
    kind: "unauthorized",
    says: "without a bearer token",
  },
  {
    status: 200,
    body: '{"access_token":"a","token_type":"mac"}',
    kind: "unauthorized",
    says: "without a bearer token",
  },
  { status: 200, body: `"${"x".repeat(300_000)}"`, kind: "response_too_large", says: "larger than" },
])("a token endpoint that answers $status without a token is a $kind that repeats no secret", async (row) => {
  const { tokens, call } = await startBoth({ answer: row });
  const failure = await failureOf(call);
  expect(failure).toMatchObject({ kind: row.kind });
  expect(failure.message).toContain(row.says);
  expect(failure.message).toMatch(/token endpoint/);
  expect(failure.message).not.toContain("s&cret");
  expect(tokens).toEqual([]);
});

test("a token endpoint follows the agent's rules: its address is checked and its redirects are refused", async () => {
  const unlisted = await startBoth({ listed: "agent only" });
  expect(await failureOf(unlisted.call)).toMatchObject({ kind: "address_refused" });
  expect(unlisted.asked).toEqual([]);
  const redirecting = await startBoth({ answer: { status: 307, body: "", location: "http://169.254.169.254/" } });
  expect(await failureOf(redirecting.call)).toMatchObject({ kind: "redirect_refused" });
});

test("a token is renewed before it expires, according to its endpoint's lifetime", async () => {
  const clock = { at: 0 };
  const lives: unknown[] = [3_600, "100", undefined, 1e9, -1];
  let count = 0;
  const tokens = createOAuth2Tokens({
    now: () => clock.at,
    post: () => {
      const body = JSON.stringify({ access_token: `t${(count += 1)}`, expires_in: lives[count - 1] });
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(body) });
    },
  });
  const auth: AgentAuthOAuth2ClientCredentials = {
    type: "oauth2_client_credentials",
    token_url: "https://h/",
    client_id: "c",
    client_secret: "env:AGENT_SECRET_X",
  };
  const at = (seconds: number): Promise<string> => {
    clock.at += seconds * 1_000;
    return tokens.get(auth, "s");
  };
  expect([await at(0), await at(3_539), await at(1)]).toEqual(["t1", "t1", "t2"]);
  expect([await at(79), await at(1)]).toEqual(["t2", "t3"]);
  expect([await at(239), await at(1)]).toEqual(["t3", "t4"]);
  expect([await at(86_339), await at(1)]).toEqual(["t4", "t5"]);
  expect(await tokens.get({ ...auth, scope: "other" }, "s")).toBe("t6");
  expect(await tokens.get(auth, "rotated")).toBe("t7");
  tokens.drop("t1");
  expect(await tokens.get(auth, "rotated")).toBe("t7");
  tokens.drop("t7");
  expect(await tokens.get(auth, "rotated")).toBe("t8");
});

test("a failure to get a token is not cached: the next call requests one again", async () => {
  let count = 0;
  const tokens = createOAuth2Tokens({
    post: () => {
      count += 1;
      if (count === 1) return Promise.reject(new Error("down"));
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{"access_token":"t"}') });
    },
  });
  const auth = {
    type: "oauth2_client_credentials",
    token_url: "https://h/",
    client_id: "c",
    client_secret: "env:X",
  } as const;
  await expect(tokens.get(auth, "s")).rejects.toThrow("down");
  expect(await tokens.get(auth, "s")).toBe("t");
});

import type { AgentAuth } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf, requestTo } from "../testing/client-of.ts";
import { startServer } from "../testing/http-agents.ts";
import { createSecretRules } from "../secrets/secret-rules.ts";
import { createSecretSource } from "../secrets/secret-source.ts";

const environment: Record<string, string> = {
  AGENT_SECRET_TOKEN: "t0p-secret",
  AGENT_SECRET_PASSWORD: "pässword:1",
  AGENT_SECRET_QUOTED: 'a"quoted\\key',
  AGENT_SECRET_BROKEN: "two\nlines",
};

/** The headers that an agent with this `auth` receives. */
async function headersFor(auth: AgentAuth, own: Record<string, string> = {}) {
  const seen: NodeJS.Dict<string | string[]>[] = [];
  const port = await startServer((request, response) => {
    seen.push(request.headers);
    response.end("{}");
  });
  const url = `http://127.0.0.1:${port}/`;
  const client = clientOf({ origins: [url], secrets: createSecretSource({ environment }) });
  await client.post({ ...requestTo(url, { headers: own }), agent: agentOf({ url, auth }) });
  return seen[0] ?? {};
}

test("B9: the configured bearer token is sent, whatever headers the caller adds", async () => {
  const auth: AgentAuth = { type: "bearer", token: "env:AGENT_SECRET_TOKEN" };
  expect((await headersFor(auth, { Authorization: "Bearer other" })).authorization).toBe("Bearer t0p-secret");
});

test("B9: an API key is sent in the configured header", async () => {
  const headers = await headersFor({ type: "api_key", header: "X-Api-Key", value: "env:AGENT_SECRET_TOKEN" });
  expect(headers["x-api-key"]).toBe("t0p-secret");
  expect(headers.authorization).toBeUndefined();
});

test("B9: user and password are sent in UTF-8", async () => {
  const auth: AgentAuth = { type: "basic", username: "crosszone", password: "env:AGENT_SECRET_PASSWORD" };
  const [scheme, text = ""] = String((await headersFor(auth)).authorization).split(" ");
  expect([scheme, Buffer.from(text, "base64").toString()]).toEqual(["Basic", "crosszone:pässword:1"]);
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
  const port = await startServer((_, response) => void response.end("{}"));
  const url = `http://127.0.0.1:${port}/`;
  const read = vi.fn<(reference: string) => Promise<string>>(async () => "t0p-secret");
  const ask = (origin: string, source: "api" | "file" = "api") => {
    const secretRules = createSecretRules({ bindings: [`env:AGENT_SECRET_TOKEN=${origin}`] });
    const client = clientOf({ origins: [url], secrets: { read }, secretRules });
    const agent = agentOf({ url, source, auth: { type: "bearer", token: "env:AGENT_SECRET_TOKEN" } });
    return {
      post: () => client.post({ ...requestTo(url), agent }),
      card: () => client.fetchCard({ ...requestTo(url), agent }),
    };
  };
  for (const stranger of [ask("https://agents.example.com"), ask("https://agents.example.com", "file")])
    for (const request of [stranger.post, stranger.card])
      await expect(request()).rejects.toMatchObject({ kind: "secret_unavailable", retryable: false });
  expect(read).not.toHaveBeenCalled();
  expect((await ask(`http://127.0.0.1:${port}`).post()).status).toBe(200);
  expect(read).toHaveBeenCalledOnce();
});

test("an API key in a connection header is refused with a message that omits the key", async () => {
  const auth: AgentAuth = { type: "api_key", header: "Transfer-Encoding", value: "env:AGENT_SECRET_TOKEN" };
  await expect(headersFor(auth)).rejects.toMatchObject({
    kind: "internal",
    message: expect.stringMatching(/can't be called as configured: invalid transfer-encoding header\.$/) as string,
  });
});

test("credentials are sent only to the agent: not after a redirect, and not to the root of another host", async () => {
  const strangers: unknown[] = [];
  const stranger = await startServer((request, response) => {
    strangers.push(request.headers);
    response.end("{}");
  });
  const port = await startServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${stranger}/` }).end();
  });
  const url = `http://127.0.0.1:${port}/`;
  const origins = [url, `http://127.0.0.1:${stranger}`];
  const client = clientOf({ origins, secrets: createSecretSource({ environment }) });
  const agent = agentOf({ url, auth: { type: "bearer", token: "env:AGENT_SECRET_TOKEN" } });
  await expect(client.post({ ...requestTo(url), agent })).rejects.toMatchObject({ kind: "redirect_refused" });
  await expect(client.fetchCard({ ...requestTo(url), agent })).rejects.toMatchObject({ kind: "redirect_refused" });
  expect(strangers).toEqual([]);
});

test.each<[what: string, auth: AgentAuth]>([
  ["a token", { type: "bearer", token: "env:AGENT_SECRET_TOKEN" }],
  ["an API key", { type: "api_key", header: "X-Api-Key", value: "env:AGENT_SECRET_QUOTED" }],
  ["a user and a password", { type: "basic", username: "crosszone", password: "env:AGENT_SECRET_PASSWORD" }],
])("R4.1, B23: an agent that echoes its request does not leak %s into an answer", async (_, auth) => {
  const port = await startServer(({ headers }, response) => {
    const [, pair = ""] = String(headers.authorization).split("Basic ");
    response.end(
      Buffer.concat([
        Buffer.from(JSON.stringify({ headers, pair: Buffer.from(pair, "base64").toString() })),
        Buffer.from([0xff, 0]),
      ]),
    );
  });
  const url = `http://127.0.0.1:${port}/`;
  const client = clientOf({ origins: [url], secrets: createSecretSource({ environment }) });
  const { body } = await client.post({ ...requestTo(url), agent: agentOf({ url, auth }) });
  const text = Buffer.from(body).toString();
  for (const secret of [...Object.values(environment), Buffer.from("crosszone:pässword:1").toString("base64")]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  expect(text).toContain("[redacted]");
  expect(body.subarray(-2)).toEqual(Buffer.from([0xff, 0]));
});

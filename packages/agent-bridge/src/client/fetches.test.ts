import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
import { createAddressRules } from "./address-rules.ts";
import { createCheckedFetch } from "./agent-connections.ts";
import { createSecretRules, createSecretSource } from "./secret-source.ts";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf } from "../testing/start-call.ts";
import { bodyOf, startServer } from "../testing/http-agents.ts";

const secret = "token-of-the-agent";

/** An agent behind a bearer token, and a `fetch` for it. */
async function start(answer: (response: ServerResponse, body: string) => unknown) {
  const seen: string[] = [];
  const origin = await startServer(async (request, response) => {
    const body = await bodyOf(request);
    const { authorization, "x-own": own } = request.headers;
    seen.push([request.method, request.url, authorization, own, body].join(" "));
    await answer(response, body);
  });
  const secrets = createSecretSource({ environment: { AGENT_SECRET_A: secret } });
  const client = clientOf({ origins: [origin, "http://127.0.0.1:1"], secrets, maxBytes: 1_000 });
  const auth = { type: "bearer", token: "env:AGENT_SECRET_A" } as const;
  return { origin, seen, auth, secrets, fetchAgent: client.fetchAs(agentOf({ url: `${origin}/a`, auth })) };
}

test("K2, B9: a check is sent with the agent's credentials, and only to the agent's origin", async () => {
  const { origin, seen, fetchAgent } = await start((response) => response.end("ok"));
  const sent = { method: "POST", headers: { "x-own": "1", authorization: "none" }, body: "{" };
  const response = await fetchAgent(`${origin}/b`, sent);
  expect([response.status, await response.text()]).toEqual([200, "ok"]);
  expect(seen).toEqual([`POST /b Bearer ${secret} 1 {`]);
  await expect(fetchAgent("http://127.0.0.1:1/")).rejects.toMatchObject({ kind: "address_refused" });
});

test("K2: a check is not sent to a refused address, nor with a secret that is bound to another origin", async () => {
  const { auth, secrets } = await start((response) => response.end());
  const url = "http://10.0.0.1/";
  const agent = agentOf({ url, auth });
  await expect(clientOf({ origins: [], secrets }).fetchAs(agent)(url)).rejects.toMatchObject({
    kind: "address_refused",
  });
  const secretRules = createSecretRules({ bindings: [] });
  const bound = clientOf({ origins: ["http://10.0.0.1"], secrets, secretRules });
  await expect(bound.fetchAs(agent)(url)).rejects.toMatchObject({ kind: "secret_unavailable" });
});

test("K2, B23: a secret that the agent repeats is redacted, even in chunks or in a stream", async () => {
  const { origin, fetchAgent } = await start(async (response, type) => {
    response.setHeader("content-type", type);
    response.write(`data: a ${secret.slice(0, 5)}`);
    await new Promise((resolve) => setImmediate(resolve));
    response.end(`${secret.slice(5)} b\n\ndata: ${secret}`);
  });
  for (const type of ["application/json", "text/event-stream"]) {
    const response = await fetchAgent(origin, { method: "POST", body: type });
    expect(await response.text()).toBe("data: a [redacted] b\n\ndata: [redacted]");
  }
});

test("K2: redirects are not followed, and large answers are cut off", async () => {
  const { origin, seen, fetchAgent } = await start((response) => {
    if (seen.length === 1) response.writeHead(302, { location: "/elsewhere" }).end();
    else response.end("x".repeat(1_001));
  });
  expect((await fetchAgent(origin)).status).toBe(302);
  expect(seen).toHaveLength(1);
  const large = await fetchAgent(origin);
  await expect(large.text()).rejects.toMatchObject({ kind: "response_too_large" });
});

/** Starts an agent that serves a file of 1,000 bytes, and returns a function that fetches from it. */
async function startFileAgent() {
  const asked: (string | undefined)[][] = [];
  const origin = await startServer(({ method, url, headers }, response) => {
    asked.push([method, url, headers.accept, headers.authorization]);
    if (url === "/elsewhere") response.writeHead(302, { location: "/file" }).end();
    else response.end(Buffer.alloc(1_000, "x"));
  });
  const client = clientOf({
    origins: [origin, "http://localhost:*"],
    secrets: createSecretSource({ environment: { AGENT_SECRET_A: secret } }),
  });
  const agent = agentOf({ url: `${origin}/a2a`, auth: { type: "bearer", token: "env:AGENT_SECRET_A" } });
  const fetchFile = (url: string, maxBytes = 1_000) =>
    client.send({ agent, url, maxBytes, accept: "*/*", timeoutMs: 60_000, signal: new AbortController().signal });
  return { asked, origin, fetchFile };
}

test("B9: an agent's file is fetched with the agent's credentials, but none over `maxBytes`", async () => {
  const { asked, origin, fetchFile } = await startFileAgent();
  const { status, body } = await fetchFile(`${origin}/file?n=1`);
  expect([status, body.byteLength]).toEqual([200, 1_000]);
  expect(asked).toEqual([["GET", "/file?n=1", "*/*", `Bearer ${secret}`]]);
  await expect(fetchFile(`${origin}/file`, 999)).rejects.toMatchObject({ name: "AgentFailure" });
});

test("I7: nothing is sent to another origin, even on the same machine, and redirects are not followed", async () => {
  const { asked, origin, fetchFile } = await startFileAgent();
  await expect(fetchFile(`${origin.replace("127.0.0.1", "localhost")}/file`)).rejects.toThrow("own origin");
  expect(asked).toEqual([]);
  await expect(fetchFile(`${origin}/elsewhere`)).rejects.toMatchObject({ kind: "redirect_refused" });
  expect(asked).toHaveLength(1);
});

test("fetches only from allowed origins, and ends when it is closed", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/slow") return;
    response.end("ok");
  });
  const { fetch, close } = createCheckedFetch(createAddressRules({ origins: [url] }));
  expect(await (await fetch(`${url}/x`)).text()).toBe("ok");
  for (const other of ["http://127.0.0.1:9/", "http://169.254.169.254/latest", "https://example.com/"])
    await expect(fetch(other)).rejects.toMatchObject({ kind: "address_refused" });
  const slow = fetch(`${url}/slow`);
  slow.catch(() => undefined);
  await close();
  await expect(slow).rejects.toThrow("fetch failed");
});

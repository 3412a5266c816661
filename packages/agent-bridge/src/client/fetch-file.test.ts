import { expect, test } from "vitest";
import { createSecretSource } from "../secrets/secret-source.ts";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf } from "../testing/client-of.ts";
import { startServer } from "../testing/http-agents.ts";

const secrets = createSecretSource({ environment: { AGENT_SECRET_A: "a-secret-of-the-agent" } });

/** Starts an agent that serves a file of 1,000 bytes, and returns a function that fetches from it. */
async function start() {
  const asked: (string | undefined)[][] = [];
  const port = await startServer(({ method, url, headers }, response) => {
    asked.push([method, url, headers.accept, headers.authorization]);
    if (url === "/elsewhere") response.writeHead(302, { location: "/file" }).end();
    else response.end(Buffer.alloc(1_000, "x"));
  });
  const origin = `http://127.0.0.1:${port}`;
  const client = clientOf({ origins: [origin, "http://localhost:*"], secrets });
  const agent = agentOf({ url: `${origin}/a2a`, auth: { type: "bearer", token: "env:AGENT_SECRET_A" } });
  const fetchFile = (url: string, maxBytes = 1_000) =>
    client.fetchFile({ agent, url, maxBytes, timeoutMs: 5_000, signal: new AbortController().signal });
  return { asked, origin, port, fetchFile };
}

test("I5: an agent's file is fetched with the agent's credentials", async () => {
  const { asked, origin, fetchFile } = await start();
  const { status, body } = await fetchFile(`${origin}/file?n=1`);
  expect([status, body.byteLength]).toEqual([200, 1_000]);
  expect(asked).toEqual([["GET", "/file?n=1", "*/*", "Bearer a-secret-of-the-agent"]]);
});

test("S14: nothing is sent to another origin, even on the same machine, and redirects are not followed", async () => {
  const { asked, origin, port, fetchFile } = await start();
  await expect(fetchFile(`http://localhost:${port}/file`)).rejects.toThrow("own origin");
  expect(asked).toEqual([]);
  await expect(fetchFile(`${origin}/elsewhere`)).rejects.toMatchObject({ kind: "redirect_refused" });
  expect(asked).toHaveLength(1);
});

test("a file over `maxBytes` is not read", async () => {
  const { origin, fetchFile } = await start();
  await expect(fetchFile(`${origin}/file`, 999)).rejects.toMatchObject({ name: "AgentFailure" });
});

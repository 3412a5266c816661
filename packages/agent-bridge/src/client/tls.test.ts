import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { TLSSocket } from "node:tls";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPrivateCa } from "@crosszone/testkit";
import { expect, onTestFinished, test } from "vitest";
import { createSecretSource } from "../secrets/secret-source.ts";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf, requestTo, textOf } from "../testing/client-of.ts";
import { startServer } from "../testing/http-agents.ts";

const ca = await createPrivateCa();
const server = await ca.issue({ subject: "CN=agent" });

/** An agent that demands a client certificate and answers with its subject. */
async function startMutual() {
  const port = await startServer(
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify(subject));
    },
    { ...server, ca: ca.ca, requestCert: true, rejectUnauthorized: true },
  );
  return { url: `https://127.0.0.1:${port}/` };
}

test("an agent with a certificate from a trusted authority is called", async () => {
  const port = await startServer((_, response) => response.end("{}"), server);
  const url = `https://localhost:${port}/`;
  const client = clientOf({ origins: [url], ca: [ca.ca] });
  expect((await client.post(requestTo(url))).status).toBe(200);
});

test.each([
  ["comes from an untrusted authority", async () => server, []],
  [
    "is for another name",
    async () => ca.issue({ subject: "CN=x", names: [{ type: "dns", value: "x.test" }] }),
    [ca.ca],
  ],
  [
    "has expired",
    async () => ca.issue({ subject: "CN=old", notBefore: new Date(0), notAfter: new Date(86_400_000) }),
    [ca.ca],
  ],
] as const)("an agent whose certificate %s gets no data and is not retried", async (_, certificate, trusted) => {
  const seen: unknown[] = [];
  const port = await startServer((request) => seen.push(request), await certificate());
  const url = `https://localhost:${port}/`;
  await expect(clientOf({ origins: [url], ca: trusted }).post(requestTo(url))).rejects.toMatchObject({
    kind: "unreachable",
    retryable: false,
    message: expect.stringMatching(/has no trusted TLS certificate \(\w+\)\.$/) as string,
  });
  expect(seen).toEqual([]);
});

test("an agent without TLS, or with an obsolete version, is unreachable", async () => {
  const plain = await startServer((_, response) => response.end("{}"));
  const old = await startServer((_, response) => response.end("{}"), {
    ...server,
    maxVersion: "TLSv1.1",
    minVersion: "TLSv1",
  });
  for (const port of [plain, old]) {
    const url = `https://localhost:${port}/`;
    const call = clientOf({ origins: [url], ca: [ca.ca] }).post(requestTo(url));
    await expect(call).rejects.toMatchObject({ kind: "unreachable" });
  }
});

test("B9: a client certificate is presented to its own agent, and to no other agent at the same origin", async () => {
  const { url } = await startMutual();
  const [alice, bob] = [await ca.issue({ subject: "CN=alice" }), await ca.issue({ subject: "CN=bob" })];
  const environment = {
    AGENT_SECRET_CA: ca.ca,
    AGENT_SECRET_ALICE_CERT: alice.cert,
    AGENT_SECRET_ALICE_KEY: alice.key,
    AGENT_SECRET_BOB_CERT: bob.cert,
    AGENT_SECRET_BOB_KEY: bob.key,
  };
  const client = clientOf({ origins: [url], ca: [ca.ca], secrets: createSecretSource({ environment }) });
  const ask = async (name: "ALICE" | "BOB"): Promise<string> => {
    const [cert, key] = [`env:AGENT_SECRET_${name}_CERT`, `env:AGENT_SECRET_${name}_KEY`];
    const agent = agentOf({ url, auth: { type: "mtls", cert, key, ca: "env:AGENT_SECRET_CA" } });
    return textOf(await client.post({ ...requestTo(url), agent }));
  };
  expect([await ask("ALICE"), await ask("BOB"), await ask("ALICE")]).toEqual([
    '{"CN":"alice"}',
    '{"CN":"bob"}',
    '{"CN":"alice"}',
  ]);
  await expect(client.post(requestTo(url))).rejects.toMatchObject({ kind: "unreachable" });
});

test("a replaced client certificate is used from the next call", async () => {
  const { url } = await startMutual();
  const dir = await mkdtemp(join(tmpdir(), "certificates-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const write = async (subject: string): Promise<void> => {
    const { cert, key } = await ca.issue({ subject });
    await writeFile(join(dir, "cert"), cert);
    await writeFile(join(dir, "key"), key);
  };
  const client = clientOf({ origins: [url], ca: [ca.ca], secrets: createSecretSource({ environment: {}, dir }) });
  const agent = agentOf({ url, auth: { type: "mtls", cert: "file:cert", key: "file:key" } });
  const ask = async (): Promise<string> => textOf(await client.post({ ...requestTo(url), agent }));
  await write("CN=first");
  expect(await ask()).toBe('{"CN":"first"}');
  await write("CN=second");
  expect(await ask()).toBe('{"CN":"second"}');
});

test("a certificate and a key that do not match are a failure that shows neither", async () => {
  const { url } = await startMutual();
  const environment = { AGENT_SECRET_CERT: server.cert, AGENT_SECRET_KEY: "no key at all" };
  const client = clientOf({ origins: [url], secrets: createSecretSource({ environment }) });
  const auth = { type: "mtls", cert: "env:AGENT_SECRET_CERT", key: "env:AGENT_SECRET_KEY" } as const;
  await expect(client.post({ ...requestTo(url), agent: agentOf({ url, auth }) })).rejects.toMatchObject({
    kind: "secret_unavailable",
    message: "The agent's certificate and key can't be used together: check both files.",
  });
});

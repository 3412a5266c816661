import type { LookupAddress } from "node:dns";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { createPrivateCa } from "@crosszone/testkit";
import { serve, tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSecretSource } from "./secret-source.ts";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf, requestTo, textOf } from "../testing/start-call.ts";
import { startServer } from "../testing/http-agents.ts";
import type { Resolve } from "./agent-connections.ts";

const ca = await createPrivateCa();
const server = await ca.issue({ subject: "CN=agent" });

/** An agent that demands a client certificate and answers with its subject. */
function startMutual(): Promise<string> {
  return startServer(
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify(subject));
    },
    { ...server, ca: ca.ca, requestCert: true, rejectUnauthorized: true },
  );
}

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
  const { port } = new URL(await startServer((request) => seen.push(request), await certificate()));
  const url = `https://localhost:${port}/`;
  await expect(clientOf({ origins: [url], ca: trusted }).send(requestTo(url))).rejects.toMatchObject({
    kind: "unreachable",
    retryable: false,
    message: expect.stringMatching(/has no trusted TLS certificate: .*\(\w+\)\.$/) as string,
  });
  expect(seen).toEqual([]);
});

test("B9: a client certificate is presented to its own agent, and to no other agent at the same origin", async () => {
  const url = await startMutual();
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
    return textOf(await client.send({ ...requestTo(url), agent }));
  };
  expect([await ask("ALICE"), await ask("BOB"), await ask("ALICE")]).toEqual([
    '{"CN":"alice"}',
    '{"CN":"bob"}',
    '{"CN":"alice"}',
  ]);
  await expect(client.send(requestTo(url))).rejects.toMatchObject({ kind: "unreachable" });
});

test("a replaced client certificate is used from the next call", async () => {
  const url = await startMutual();
  const dir = tempFolder();
  const write = async (subject: string): Promise<void> => {
    const { cert, key } = await ca.issue({ subject });
    await writeFile(join(dir, "cert"), cert);
    await writeFile(join(dir, "key"), key);
  };
  const client = clientOf({ origins: [url], ca: [ca.ca], secrets: createSecretSource({ environment: {}, dir }) });
  const agent = agentOf({ url, auth: { type: "mtls", cert: "file:cert", key: "file:key" } });
  const ask = async (): Promise<string> => textOf(await client.send({ ...requestTo(url), agent }));
  await write("CN=first");
  expect(await ask()).toBe('{"CN":"first"}');
  await write("CN=second");
  expect(await ask()).toBe('{"CN":"second"}');
});

test("a certificate and a key that do not match are a failure that shows neither", async () => {
  const url = await startMutual();
  const environment = { AGENT_SECRET_CERT: server.cert, AGENT_SECRET_KEY: "no key at all" };
  const client = clientOf({ origins: [url], secrets: createSecretSource({ environment }) });
  const auth = { type: "mtls", cert: "env:AGENT_SECRET_CERT", key: "env:AGENT_SECRET_KEY" } as const;
  await expect(client.send({ ...requestTo(url), agent: agentOf({ url, auth }) })).rejects.toMatchObject({
    kind: "secret_unavailable",
    message: "The agent's certificate and key can't be used together: check both files.",
  });
});

/** Answers lookups with each list of addresses in turn, then with the last one forever; counts them. */
function dns(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _, found) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    const addresses: LookupAddress[] = answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(() => found(null, addresses));
  };
  return { asked, resolve };
}

test.each([
  [["127.0.0.1"]],
  [["::1", "10.0.0.1"]],
  [["169.254.169.254"]],
  [["::ffff:7f00:1"]],
  [["100.100.100.200", "192.168.0.1"]],
])("a public name that resolves to %j is not connected to", async (addresses) => {
  const reached: unknown[] = [];
  const { port } = new URL(await startServer((request) => reached.push(request)));
  const { resolve, asked } = dns(addresses);
  const client = clientOf({ origins: [], resolve });
  const url = `https://rebind.example.com:${port}/`;
  await expect(client.send(requestTo(url))).rejects.toMatchObject({ kind: "address_refused", retryable: false });
  expect(asked).toEqual(["rebind.example.com"]);
  expect(reached).toEqual([]);
});

test("DNS rebinding fails: each connection checks its own DNS answer", async () => {
  let reached = 0;
  const agent = await startServer((_, response) => {
    reached += 1;
    response.writeHead(200, { connection: "close" }).end("{}");
  });
  const { resolve, asked } = dns(["127.0.0.1"], ["169.254.169.254"]);
  const origin = agent.replace("127.0.0.1", "agent.example.com");
  const client = clientOf({ origins: [origin], resolve });
  expect((await client.send(requestTo(origin))).status).toBe(200);
  await expect(client.send(requestTo(origin))).rejects.toMatchObject({
    kind: "address_refused",
    message:
      "The agent's address is not allowed: agent.example.com resolves to a special address. Agents at such an address are never called.",
  });
  expect([reached, asked.length]).toEqual([1, 2]);
});

/** Starts a proxy that leads every name to one port of this machine. */
async function startTunnel(port: string) {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on("connect", ({ url }, socket) => {
    asked.push(url);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const upstream = connect(Number(port), "127.0.0.1").on("error", () => socket.destroy());
    socket
      .on("error", () => upstream.destroy())
      .pipe(upstream)
      .pipe(socket);
  });
  vi.stubEnv("HTTPS_PROXY", await serve(proxy));
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  return asked;
}

const notFound: Resolve = (_, __, found) => found(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }), []);

test("O11: through a proxy, a name that resolves here to a refused address is not asked for, and any other is", async () => {
  const names = ["rebind.example.com", "outside.example.com"].map((value) => ({ type: "dns", value }) as const);
  const { port } = new URL(
    await startServer((_, response) => response.end("{}"), await ca.issue({ subject: "CN=x", names })),
  );
  const asked = await startTunnel(port);
  const send = (name: string, resolve: Resolve) =>
    clientOf({ origins: [], ca: [ca.ca], resolve }).send(requestTo(`https://${name}/`));
  for (const address of ["127.0.0.1", "10.0.0.8", "169.254.169.254"])
    await expect(send("rebind.example.com", dns([address]).resolve)).rejects.toMatchObject({ kind: "address_refused" });
  await expect(clientOf({ origins: [] }).send(requestTo("https://10.0.0.8/"))).rejects.toMatchObject({
    kind: "address_refused",
  });
  expect(asked).toEqual([]);
  expect((await send("outside.example.com", notFound)).status).toBe(200);
  expect((await send("outside.example.com", dns(["8.8.8.8"]).resolve)).status).toBe(200);
  expect(asked).toEqual(["outside.example.com:443", "outside.example.com:443"]);
});

test("O11: a client certificate reaches its agent through a proxy; NO_PROXY goes around it", async () => {
  const { port } = new URL(await startMutual());
  const asked = await startTunnel(port);
  const alice = await ca.issue({ subject: "CN=alice" });
  const environment = { AGENT_SECRET_CA: ca.ca, AGENT_SECRET_CERT: alice.cert, AGENT_SECRET_KEY: alice.key };
  const secrets = createSecretSource({ environment });
  const auth = { type: "mtls", cert: "env:AGENT_SECRET_CERT", key: "env:AGENT_SECRET_KEY", ca: "env:AGENT_SECRET_CA" };
  const url = `https://localhost:${port}/`;
  const subject = async () => {
    const client = clientOf({ origins: [url], secrets });
    return textOf(await client.send(requestTo(url, { agent: agentOf({ url, auth: auth as never }) })));
  };
  expect(await subject()).toContain("alice");
  expect(asked).toEqual([`localhost:${port}`]);
  vi.stubEnv("NO_PROXY", "localhost");
  expect(await subject()).toContain("alice");
  expect(asked).toHaveLength(1);
});

test("concurrent connections share one DNS lookup", async () => {
  const agent = await startServer((_, response) => response.end("{}"));
  const { resolve, asked } = dns(["127.0.0.1"]);
  const origin = agent.replace("127.0.0.1", "agent.example.com");
  const client = clientOf({ origins: [origin], resolve });
  await Promise.all(Array.from({ length: 20 }, () => client.send(requestTo(origin))));
  expect(asked).toHaveLength(1);
});

test("a name that DNS does not know, or finds too slowly, makes the agent unreachable", async () => {
  const url = "https://nowhere.example.com/?key=hunter2";
  await expect(clientOf({ origins: [], resolve: notFound }).send(requestTo(url))).rejects.toMatchObject({
    kind: "unreachable",
    retryable: true,
    message: 'The agent "scout" at nowhere.example.com has no address in DNS (ENOTFOUND).',
  });
  const silent: Resolve = () => undefined;
  const slow = clientOf({ origins: [], resolve: silent, connectTimeoutMs: 100 });
  await expect(slow.send(requestTo(url))).rejects.toMatchObject({
    kind: "unreachable",
    message: `The agent "scout" at nowhere.example.com doesn't accept a connection in time (UND_ERR_CONNECT_TIMEOUT).`,
  });
});

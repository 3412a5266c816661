// suite: rest
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { Transform } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { mcpTool, startMcpServer } from "@crosszone/assistant/testing/mcp";
import { startDevAgents } from "@crosszone/dev-agents";
import { startDevSlack } from "@crosszone/dev-slack";
import { converse } from "@crosszone/dev-slack/client";
import { createPrivateCa, freePort, startGoogleMetadata, startIdentityProvider } from "@crosszone/testkit";
import { serve, tempFile } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test, vi } from "vitest";
import { type LogLine, startZoneProcess } from "@crosszone/testkit/process";
import { startOtlpCollector } from "../harness/otlp-collector.ts";
import { writeAgentsFile, writeSettings } from "../harness/temp-file.ts";
import { adminToken } from "../harness/runs-api.ts";
import { googleAccount } from "../harness/test-clouds.ts";

const renamed = (chunk: Buffer, target: string): Buffer =>
  Buffer.from(chunk.toString("latin1").replace(/(\r\nhost: )[^\r]+/i, `$1${new URL(target).host}`), "latin1");

/**
 * Starts the proxy of a company: it wants a password, resolves names itself, lets only its list of hosts through, and reads what passes in TLS by
 * means of an authority of its own. `hosts`: the servers behind these names, which no other machine can resolve. Ends with the test.
 */
async function startProxy(hosts: Readonly<Record<string, string>>) {
  const authority = await createPrivateCa("CN=The company's proxy");
  const names = Object.keys(hosts).map((value) => ({ type: "dns", value }) as const);
  const secureContext = createSecureContext(await authority.issue({ subject: "CN=proxy", names }));
  const passed = new Set<string>();
  /** What was asked that the list lacks. */
  const refused: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    refused.push(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  server.on("connection", (socket) => void sockets.add(socket));
  server.on("connect", ({ url = "", headers }, socket: Socket) => {
    const name = url.replace(/:443$/, "");
    const target = hosts[name];
    const isKnown = headers["proxy-authorization"] === `Basic ${Buffer.from("me:secret").toString("base64")}`;
    if (!isKnown || target === undefined) {
      refused.push(url);
      socket.end(`HTTP/1.1 ${isKnown ? 403 : 407} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    passed.add(name);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const inside = new TLSSocket(socket, { isServer: true, secureContext });
    const upstream = connect(Number(new URL(target).port), "127.0.0.1");
    inside.on("error", () => upstream.destroy());
    upstream.on("error", () => inside.destroy()).pipe(inside);
    // The servers of a test answer only to their own names.
    inside
      .pipe(new Transform({ transform: (chunk: Buffer, _, done) => done(null, renamed(chunk, target)) }))
      .pipe(upstream);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const proxy = (await serve(server)).replace("http://", "http://me:secret@");
  return {
    passed,
    refused,
    /** For the processes behind it. Nothing is excepted, so that a request to this machine would show. */
    env: {
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: proxy,
      HTTP_PROXY: proxy,
      NODE_EXTRA_CA_CERTS: tempFile("company.pem", authority.ca),
    },
  };
}

const start = (app: "execution" | "verification", env: Record<string, string>, log: LogLine[]) =>
  startZoneProcess(app, { LOG_LEVEL: "debug", ...env }, { log });

/** Starts both zones behind a company's proxy, which alone reaches everything else, and the servers that they use. */
async function startBehindProxy() {
  const [slack, agents, collector, mock, idp, mcp] = await Promise.all([
    startDevSlack({ socketOrigin: "https://wss-primary.slack.com" }),
    startDevAgents({}),
    startOtlpCollector(),
    LLMock.create({ port: 0 }),
    startIdentityProvider("https://accounts.google.com"),
    startMcpServer({ tools: [mcpTool("find")] }),
  ]);
  const metadata = await startGoogleMetadata(idp, googleAccount);
  onTestFinished(async () => {
    await Promise.all([agents.close(), mock.stop(), slack.close(), idp.service.stop(), metadata.stop()]);
  });
  const anchored: string[] = [];
  const anchor = await serve((request, response) => {
    anchored.push(String(request.url));
    response.writeHead(204).end();
  });
  const port = await freePort();
  const proxy = await startProxy({
    "slack.com": slack.url,
    "wss-primary.slack.com": slack.url,
    "agents.example.net": agents.url,
    "otlp.example.net": collector.url,
    "models.example.net": mock.url,
    "idp.example.net": idp.service.url,
    "mcp.example.net": mcp.url,
    "anchor.example.net": anchor,
    "execution.example.net": `http://127.0.0.1:${port}`,
  });
  const log: LogLine[] = [];
  // Its second agent resolves on this machine, to the machine itself.
  const agentsFile = writeAgentsFile([
    { name: "fingerprint", url: "https://agents.example.net/fingerprint", protocol: "simple-a2a" },
    { name: "inside", url: "https://localhost/agent", protocol: "simple-a2a" },
  ]);
  await start(
    "execution",
    {
      EXECUTION_PORT: String(port),
      ADMIN_TOKENS: adminToken,
      CALLER_AUTH: "jwt",
      CALLER_JWT_ISSUER: idp.issuer,
      CALLER_JWT_JWKS: `https://idp.example.net/certs`,
      CALLER_JWT_AUDIENCE: "https://execution.example.net",
      CALLER_ALLOWED: `email:${googleAccount.email}`,
      OPENAI_BASE_URL: "https://models.example.net/v1",
      OPENAI_API_KEY: "sk-planted",
      MODEL: "openai/local-1",
      EXECUTION_FILE: [
        agentsFile,
        writeSettings({ mcp: [{ name: "wiki", url: "https://mcp.example.net/", read_only: true }] }),
      ].join(","),
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://otlp.example.net",
      AUDIT_ANCHOR: "https://anchor.example.net/notes",
      ...proxy.env,
    },
    log,
  );
  const verification = await start(
    "verification",
    {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      EXECUTION_URL: "https://execution.example.net/rpc",
      EXECUTION_CREDENTIALS: "google",
      ...tune({ GCE_METADATA_HOST: new URL(metadata.url).host }),
      ...proxy.env,
    },
    log,
  );
  await vi.waitUntil(async () => (await fetch(`${verification.url}/readyz`)).ok);
  const headers = { authorization: `Bearer ${adminToken}` };
  /** Signs, and writes the checkpoint to the anchor. */
  const exportAudit = async () => (await fetch(`http://127.0.0.1:${port}/api/v1/audit/export`, { headers })).text();
  return { ...converse(slack.control), exportAudit, proxy, log, collector, mock, mcp, anchored };
}

test("O11: behind a proxy that inspects TLS, each way out works, and goes through it", async () => {
  const { write, answerTo, exportAudit, proxy, log, collector, mock, mcp, anchored } = await startBehindProxy();
  mock.on({ userMessage: "cats", hasToolResult: true }, { content: "Cats purr." });
  mock.on({ userMessage: "cats" }, { toolCalls: [{ name: "wiki_find", arguments: { text: "cats" } }] });
  const ask = async (text: string) => (await answerTo(write({ text }))).text;
  expect(await ask("ask fingerprint: hello")).toContain("2cf24dba");
  expect(await ask("look up cats")).toContain("Cats purr.");
  expect(mcp.calls).toHaveLength(1);
  await exportAudit();
  await vi.waitUntil(() => collector.spans.length > 0 && anchored.length > 0, 90_000);
  expect([...proxy.passed].toSorted()).toEqual([
    "agents.example.net",
    "anchor.example.net",
    "execution.example.net",
    "idp.example.net",
    "mcp.example.net",
    "models.example.net",
    "otlp.example.net",
    "slack.com",
    "wss-primary.slack.com",
  ]);
  expect(await ask("ask inside: hello")).toMatch(/can't|isn't|not/);
  expect(JSON.stringify(log)).toContain("localhost resolves to a loopback address");
  expect(proxy.refused).toEqual([]);
  expect(JSON.stringify(log)).not.toContain("me:secret");
});

test("O11: no other connection is opened than those that use the proxies of the environment", () => {
  const root = resolve(import.meta.dirname, "../..");
  const sources = globSync("{apps,packages,tools}/*/src/**/*.ts", { cwd: root }).filter(
    (path) => !/\.test\.ts$|\/testing\/|\/generated\//.test(path),
  );
  const opening = sources.filter((path) => {
    const text = readFileSync(resolve(root, path), "utf8");
    return /\bnew (?:Agent|Pool|Client|ProxyAgent)\(/.test(text) && /from "undici"/.test(text);
  });
  // Metadata services of clouds, which are on the machine, are never behind a proxy.
  expect(opening.toSorted()).toEqual([
    "apps/verification/src/link/credentials.ts",
    "packages/service-kit/src/http/outgoing.ts",
  ]);
});

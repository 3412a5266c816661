import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { ListAgentsResult } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { type Check, type CheckResult, type Finding, runChecks } from "@crosszone/ops/doctor";
import { describe, expect, onTestFinished, test } from "vitest";
import { echo, startZone } from "../../testing/start-zone.ts";
import { checkSecretStrength } from "./caller-checks.ts";
import { checkAgents } from "./check-agents.ts";
import { checkPort, findPortHolder, type PortHolder } from "./check-port.ts";
import { checkTaskTimes, executionDoctor } from "./execution-doctor.ts";

const run = async (check: Check): Promise<Finding> => check.run(new AbortController().signal);

async function consult(env: Record<string, string>): Promise<Record<string, CheckResult>> {
  const { checks, skip } = executionDoctor(env);
  const results = await runChecks(checks, { timeoutMs: 5_000, ...(skip && { skip }) });
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("the port", () => {
  const [host, rpcPath] = ["127.0.0.1", "/rpc"];

  test("is free, in use by this zone, or in use by another program", async () => {
    expect(await findPortHolder({ host, port: 0, rpcPath })).toBe("free");
    expect(await findPortHolder({ host, port: Number(new URL((await startZone([echo])).url).port), rpcPath })).toBe(
      "this_zone",
    );
    expect(
      await findPortHolder({ host, port: await listen((_request, response) => response.end("hello")), rpcPath }),
    ).toBe("other");
  });

  test("at an address that is not this machine's", async () => {
    await expect(findPortHolder({ host: "192.0.2.1", port: 0, rpcPath })).resolves.toMatchObject({
      refused: "EADDRNOTAVAIL",
    });
  });

  test.each<[PortHolder, string, string]>([
    ["free", "passed", "is free"],
    ["this_zone", "passed", "listens on"],
    ["other", "failed", "another program"],
    [{ refused: "EACCES" }, "failed", "more permissions"],
    [{ refused: "EADDRNOTAVAIL" }, "failed", "not an address of this machine"],
    [{ refused: "EIO" }, "warned", "EIO"],
  ])("%o: %s", async (holder, status, says) => {
    const finding = await run(
      checkPort(
        () => ({ host: "h", port: 1, portVariable: "PORT", rpcPath }),
        async () => holder,
      ),
    );
    expect(finding).toMatchObject({ status, says: expect.stringContaining(says) });
  });
});

describe("the token", () => {
  const random = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 73 + 41) % 256)).toString("base64url");
  test.each([
    ["made of random bytes", [random], "passed"],
    ["being replaced", [random, `${random.slice(1)}Z`], "passed"],
    ["of one letter", ["a".repeat(64)], "failed"],
    ["of a repeated word", ["changeme".repeat(5)], "failed"],
    ["of a few known words", ["crosszone-secret-token-password-example"], "failed"],
    ["and a weak second one", [random, "0".repeat(40)], "failed"],
    ["twice", [random, random], "warned"],
    ["and two older ones", [random, `${random}1`, `${random}2`], "warned"],
    ["that is not set", [], "warned"],
  ])("%s: %s", async (_name, tokens, status) => {
    const finding = await run(checkSecretStrength({ auth: tokens.length === 0 ? "none" : "bearer", tokens }));
    expect(finding.status).toBe(status);
    for (const token of tokens) expect(JSON.stringify(finding)).not.toContain(token);
  });
});

describe("caller authentication", () => {
  test("a signing secret is judged like a token", async () => {
    const found = await consult({ CALLER_AUTH: "hmac", EXECUTION_TOKEN: "0".repeat(40) });
    expect(found["secret strength"]).toMatchObject({ status: "failed" });
    expect(found["callers"]).toMatchObject({ status: "passed", says: "CALLER_AUTH is hmac" });
  });

  const jwt = {
    CALLER_AUTH: "jwt",
    CALLER_JWT_ISSUER: "https://issuer.example.com",
    CALLER_JWT_AUDIENCE: "zone",
    CALLER_JWT_ALLOWED: "sub:verification",
  };
  test.each([
    ["a key set", '{"keys":[{"kty":"RSA","kid":"1"}]}', "passed"],
    ["an empty key set", '{"keys":[]}', "failed"],
    ["the metadata of the issuer", '{"issuer":"https://issuer.example.com"}', "failed"],
    ["a page", "<h1>Welcome</h1>", "failed"],
  ])("the issuer's keys are fetched: %s", async (_what, body, status) => {
    const port = await listen((_request, response) => void response.end(body));
    const found = await consult({ ...jwt, CALLER_JWT_JWKS_URL: `http://127.0.0.1:${port}/keys` });
    expect(found["keys reachable"]).toMatchObject({ status: "passed" });
    expect(found["keys"]).toMatchObject({ status });
    expect(found["secret strength"]).toMatchObject({ status: "skipped" });
  });

  test("missing TLS files", async () => {
    const found = await consult({ TLS_CERT_FILE: "/nowhere/tls.crt", TLS_KEY_FILE: "/nowhere/tls.key" });
    expect(found["tls"]).toMatchObject({
      status: "failed",
      todo: ["TLS_CERT_FILE names a file that cannot be read (ENOENT)."],
    });
  });
});

test("the trace collector is probed if it is configured", async () => {
  expect((await consult({}))["traces reachable"]).toMatchObject({ status: "skipped" });
  const down = await consult({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  expect(down["traces reachable"]).toMatchObject({
    status: "failed",
    says: "the connection to 127.0.0.1:9 was refused",
  });
  expect(down["traces reachable"]?.todo).toEqual(["Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT."]);
});

describe("the agents", () => {
  test("the zone's own agents are listed by name", async () => {
    const { agents } = await consult({});
    expect(agents).toMatchObject({ status: "passed", says: expect.stringMatching(/^builtin \(\d+ skills\)$/) });
  });

  test("an empty list, or one that breaks the contract, fails", async () => {
    expect(await run(checkAgents(async () => ({ agents: [] })))).toMatchObject({ status: "failed" });
    const broken = async (): Promise<ListAgentsResult> =>
      Promise.reject(new LinkError("invalid_response", "/agents/0/name"));
    expect(await run(checkAgents(broken))).toMatchObject({ status: "failed", says: "list_agents: /agents/0/name" });
  });
});

describe("the verification zone as the source of files", () => {
  const asking = async (VERIFICATION_URL: string): Promise<Record<string, CheckResult>> =>
    consult({ VERIFICATION_URL });

  test("is not configured, is unreachable, or is another service", async () => {
    expect((await consult({}))["verification reachable"]).toMatchObject({ status: "skipped" });
    const down = await asking("http://127.0.0.1:9");
    expect(down["verification reachable"]).toMatchObject({ status: "failed" });
    expect(down["verification files"]).toMatchObject({ status: "skipped" });
    const port = await listen((_request, response) => void response.end("<h1>Welcome</h1>"));
    const other = await asking(`http://127.0.0.1:${port}`);
    expect(other["verification files"]).toMatchObject({ status: "failed" });
  });

  test("refuses an unknown handle, which is random on each probe", async () => {
    const asked: (string | undefined)[] = [];
    const port = await listen((request, response) => {
      if (request.url === "/zone/files/F0") asked.push(request.headers.authorization);
      response.writeHead(401).end('{"error":{"reason":"unauthorized"}}');
    });
    for (const path of ["/zone/", "/zone"])
      expect((await asking(`http://127.0.0.1:${port}${path}`))["verification files"]).toMatchObject({
        status: "passed",
      });
    expect(new Set(asked).size).toBe(2);
    for (const handle of asked) expect(handle).toMatch(/^Bearer czh_[\w-]{43}$/);
  });
});

test("contradictory times are reported one by one", async () => {
  const times = { SYNC_WINDOW_MS: 10, MAX_WAIT_MS: 10, TASK_DEADLINE: 100, TASK_RETENTION: 100 };
  expect(await run(checkTaskTimes(times))).toMatchObject({ status: "passed" });
  const bad = { SYNC_WINDOW_MS: 100, MAX_WAIT_MS: 50, TASK_DEADLINE: 100, TASK_RETENTION: 100 };
  const finding = await run(checkTaskTimes(bad));
  expect(finding.status).toBe("warned");
  expect(finding.todo.map((text) => text.split(" ")[0])).toEqual(["TASK_DEADLINE", "TASK_RETENTION"]);
});

test("all errors of an invalid configuration are reported, and the checks that need it are skipped", async () => {
  const found = await consult({ EXECUTION_PORT: "many", TASK_DEADLINE: "-", EXECUTION_HOST: "0.0.0.0" });
  expect(found["configuration"]?.todo.map((text) => text.split(" ")[0])).toEqual([
    "EXECUTION_PORT",
    "TASK_DEADLINE",
    "EXECUTION_TOKEN",
  ]);
  expect(found["port"]).toMatchObject({ status: "skipped" });
  expect(found["limits"]).toMatchObject({ status: "skipped" });
  expect(found["agents"]).toMatchObject({ status: "passed" });
});

// suite: rest
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { executionDoctor } from "@crosszone/execution";
import type { HandleMessage } from "@crosszone/jsonrpc";
import { type Finding, reachableRow } from "@crosszone/ops/doctor";
import { type CertificateOptions, createPrivateCa, startAws } from "@crosszone/testkit";
import { type Answer, tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startZone } from "@crosszone/execution/testing";
import { startRoute } from "../harness/connect-https.ts";
import { advice, consultAboutLink, consultDoctor, linkToken, startPeer, withClock } from "../harness/consult-doctor.ts";
import { wideLimits, onAgentCore, startCrosszone } from "../harness/start-crosszone.ts";

async function execution(): Promise<string> {
  return (await startZone(undefined, { ...wideLimits, tokens: [linkToken] })).url;
}

/** Answers every POST with this JSON-RPC result. */
const resulting =
  (result: unknown, waitMs = 0): Answer =>
  async (request, response) => {
    const { id = null } = (await json(request).catch(() => ({}))) as { id?: unknown };
    await setTimeout(waitMs);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };

test("Z10: a healthy execution zone passes every check over the configured transport", async () => {
  const found = await consultAboutLink(`${await execution()}/rpc`);
  for (const name of ["execution reachable", "execution locked", "execution answers", "execution clock"])
    expect(found[name]).toMatchObject({ name, status: "passed" });
  expect(found["execution answers"]?.says).toContain("agents: builtin");
});

test("a healthy verification zone passes execution's doctor, and reveals no file name", async () => {
  const { verification, slack } = await startCrosszone();
  const found = await consultDoctor(executionDoctor({ VERIFICATION_URL: verification.url }));
  expect(found["verification files"]).toMatchObject({ status: "passed" });
  expect(slack.control.traffic().filter(({ name }) => name === "files.info")).toEqual([]);
});

test("an unreachable zone is reported once, with what to do, and the rest is skipped", async () => {
  const found = await consultAboutLink("http://127.0.0.1:9/rpc");
  expect(found["execution reachable"]).toMatchObject({
    status: "failed",
    says: "the connection to 127.0.0.1:9 was refused",
    todo: ["Start execution, or correct EXECUTION_URL."],
  });
  for (const name of ["execution locked", "execution answers", "execution clock"])
    expect(found[name]).toMatchObject({ status: "skipped" });
});

test("an unknown host name is distinguished from a closed port", async () => {
  const found = await consultAboutLink("https://execution.invalid/rpc");
  expect(found["execution reachable"]?.says).toMatch(/^the name execution\.invalid cannot be resolved \(\w+\)$/);
});

describe("an answer with", () => {
  test("401 to a wrong token says to compare the tokens", async () => {
    const found = await consultAboutLink(`${await execution()}/rpc`, { EXECUTION_TOKEN: `wrong-${"0".repeat(32)}` });
    expect(found["execution answers"]).toMatchObject({ status: "failed" });
    expect(advice(found["execution answers"])).toMatch(/unauthorized.*the same EXECUTION_TOKEN in both zones/);
    expect(found["execution locked"]).toMatchObject({ status: "passed" });
  });

  test("404 in JSON to a wrong path says to correct the path", async () => {
    const found = await consultAboutLink(`${await execution()}/wrong`);
    expect(advice(found["execution answers"])).toMatch(/JSON-RPC is served at POST \/rpc.*its path is \/rpc/);
  });

  test.each([
    ["HTML of a proxy", 200, "text/html", "<h1>Sign in</h1>", /HTTP 200: not JSON.*not execution/],
    ["502 of a proxy", 502, "text/html", "<h1>Bad Gateway</h1>", /unreachable: HTTP 502.*the proxies/],
    ["a redirect", 302, "text/html", "", /a redirect is not followed/],
    ["JSON of something else", 200, "application/json", '{"hello":1}', /not a JSON-RPC 2\.0 response/],
    [
      "JSON-RPC of something else",
      200,
      "application/json",
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}',
      /unknown kind \(code 1\)/,
    ],
  ])("%s", async (...[, status, type, body, says]) => {
    const url = await startPeer((_request, response) => {
      response.writeHead(status, { "content-type": type, location: "/elsewhere" }).end(body);
    });
    const found = await consultAboutLink(`${url}/rpc`);
    expect(found["execution reachable"]).toMatchObject({ status: "passed" });
    expect(found["execution answers"]).toMatchObject({ status: "failed" });
    expect(advice(found["execution answers"])).toMatch(says);
  });

  test("a list of agents that breaks the contract names another release as the cause", async () => {
    const found = await consultAboutLink(`${await startPeer(resulting({ agents: [{ name: 1 }] }))}/rpc`);
    expect(advice(found["execution answers"])).toMatch(/invalid_response: .*agents\/0.*not execution of this release/);
  });

  test("agents for any caller without a token is a warning on this machine", async () => {
    const found = await consultAboutLink(`${await startPeer(resulting({ agents: [] }))}/rpc`);
    expect(found["execution locked"]).toMatchObject({ status: "warned" });
    expect(advice(found["execution locked"])).toContain("it accepts requests without credentials");
  });

  test("a clock that is off by 30 seconds or more is a warning", async () => {
    const found = await consultAboutLink(`${await startPeer(withClock(await execution(), 120))}/rpc`);
    expect(found["execution clock"]).toMatchObject({ status: "warned" });
    expect(found["execution answers"]).toMatchObject({ status: "passed" });
  });
});

describe("over AgentCore", () => {
  async function aws(): Promise<Awaited<ReturnType<typeof startAws>>> {
    return startAws((await startZone(undefined, { ...wideLimits, ...onAgentCore })).url);
  }

  test("Z11: a healthy runtime passes every check", async () => {
    const { env } = await aws();
    const found = await consultAboutLink("", env);
    for (const name of ["execution reachable", "execution answers", "execution clock"])
      expect(found[name]).toMatchObject({ name, status: "passed" });
    expect(found["execution locked"]).toMatchObject({ status: "skipped" });
  });

  test("Z11: a runtime that AWS does not know is distinguished from credentials that it rejects", async () => {
    const { env } = await aws();
    const unknown = { EXECUTION_URL: env["EXECUTION_URL"]?.replace(/.{3}$/, "zzz") ?? "" };
    const other = await consultAboutLink("", { ...env, ...unknown });
    expect(advice(other["execution answers"])).toMatch(/the runtime does not exist.*the ARN in EXECUTION_URL/);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wrong");
    const wrong = await consultAboutLink("", env);
    expect(advice(wrong["execution answers"])).toMatch(/AWS denies access to this zone.*AWS credentials/);
  });
});

test("an unsafe URL is a configuration error, and nothing is sent there", async () => {
  const found = await consultAboutLink("http://execution.example.com/rpc");
  expect(advice(found["configuration"])).toContain("EXECUTION_URL uses http: to another machine");
  for (const name of ["execution reachable", "execution answers"])
    expect(found[name]).toMatchObject({ status: "skipped" });
});

describe("certificates", () => {
  /** Nothing is asked of a peer that is not trusted. */
  const never = vi.fn<Answer>();

  test("one of an unknown authority is not trusted, and nothing is requested", async () => {
    const url = await startPeer(never, await (await createPrivateCa()).issue({ subject: "CN=peer" }));
    const found = await consultAboutLink(`${url}/rpc`);
    expect(found["execution reachable"]).toMatchObject({ status: "failed" });
    expect(advice(found["execution reachable"])).toMatch(
      /its certificate authority is unknown here.*EXECUTION_CA_FILE/,
    );
    expect(found["execution answers"]).toMatchObject({ status: "skipped" });
    expect(never).not.toHaveBeenCalled();
  });

  /** Returns the check of a server whose authority is trusted. */
  async function reaching(options: Partial<CertificateOptions>, ask: Answer = never): Promise<Finding> {
    const authority = await createPrivateCa();
    const certificate = await authority.issue({ subject: "CN=peer", ...options });
    const peer = { url: await startPeer(ask, certificate), variable: "EXECUTION_URL", whenDown: "Start it" };
    const { row } = reachableRow({ name: "peer" }, () => ({ ...peer, tls: { ca: authority.ca } }));
    return row.probe(new AbortController().signal);
  }
  const inDays = (days: number): { notBefore: Date; notAfter: Date } => ({
    notBefore: new Date(Date.now() - 400 * 86_400_000),
    notAfter: new Date(Date.now() + days * 86_400_000),
  });
  const answer: Answer = (_request, response) => void response.end("{}");

  test("an expired one says when it expired, one for another name says so, and nothing is requested", async () => {
    expect(await reaching(inDays(-3))).toMatchObject({ status: "failed", todo: ["Renew the certificate."] });
    expect((await reaching(inDays(-3))).says).toMatch(/not trusted: it has expired$/);
    expect(await reaching({ names: [{ type: "dns", value: "elsewhere.example.com" }] })).toMatchObject({
      status: "failed",
    });
    expect((await reaching({ names: [{ type: "dns", value: "elsewhere.example.com" }] })).says).toContain(
      "it is for another host name",
    );
    expect(never).not.toHaveBeenCalled();
  });

  test("one that expires soon is a warning, another one passes", async () => {
    expect(await reaching(inDays(10), answer)).toMatchObject({ status: "warned" });
    expect(await reaching(inDays(200), answer)).toMatchObject({ status: "passed" });
    expect((await reaching(inDays(200), answer)).says).toMatch(
      /answers over TLSv1\.3 in \d+ ms; its certificate is valid until/,
    );
  });

  test("plain HTTP to a TLS port, and TLS to a plain port", async () => {
    const plain = await execution();
    const found = await consultAboutLink(`${plain.replace("http:", "https:")}/rpc`);
    expect(advice(found["execution reachable"])).toMatch(
      /the TLS handshake with .* failed.*Check EXECUTION_URL: http:/,
    );
  });
});

describe("with every kind of caller authentication", () => {
  const secret = "a-shared-secret-0123456789-abcdefghij";
  const answering: HandleMessage = async (message) => {
    const { id } = JSON.parse(Buffer.from(message).toString()) as { id: string };
    return JSON.stringify({ jsonrpc: "2.0", id, result: { agents: [] } });
  };
  async function route(env: Record<string, string>): Promise<string> {
    const started = await startRoute(answering, env);
    onTestFinished(() => started.stop());
    return started.url;
  }
  test("hmac: the same secret passes; another one says what to compare", async () => {
    const url = await route({ CALLER_AUTH: "hmac", EXECUTION_TOKEN: secret });
    const env = { EXECUTION_CREDENTIALS: "hmac", EXECUTION_TOKEN: secret };
    const right = await consultAboutLink(url, env);
    expect(right["execution proof"]).toMatchObject({ status: "passed", says: "EXECUTION_CREDENTIALS is hmac" });
    expect(right["execution locked"]).toMatchObject({ status: "passed" });
    expect(right["execution answers"]?.says).toContain("it accepts this zone");
    const wrong = await consultAboutLink(url, { ...env, EXECUTION_TOKEN: `${secret}-other` });
    expect(advice(wrong["execution answers"])).toMatch(/unauthorized.*EXECUTION_TOKEN.*http_refused/);
  });

  test("mtls: the authority and the certificates come from files; without them, every problem is reported", async () => {
    const authority = await createPrivateCa();
    const [server, client] = [await authority.issue({ subject: "CN=e" }), await authority.issue({ subject: "CN=v" })];
    const ca = tempFile("ca.crt", authority.ca);
    const url = await route({
      CALLER_AUTH: "mtls",
      TLS_CERT_FILE: tempFile("tls.crt", server.cert),
      TLS_KEY_FILE: tempFile("tls.key", server.key),
      CALLER_TLS_CA_FILE: ca,
      CALLER_ALLOWED: "CN=v",
    });
    const env = {
      EXECUTION_CREDENTIALS: "mtls",
      EXECUTION_TOKEN: "",
      EXECUTION_CA_FILE: ca,
      EXECUTION_CLIENT_CERT_FILE: tempFile("tls.crt", client.cert),
      EXECUTION_CLIENT_KEY_FILE: tempFile("tls.key", client.key),
    };
    const right = await consultAboutLink(url, env);
    expect(right["execution proof"]).toMatchObject({ status: "warned" });
    expect(advice(right["execution proof"])).toContain("EXECUTION_CLIENT_CERT_FILE expires on");
    for (const name of ["execution reachable", "execution locked"])
      expect(right[name]).toMatchObject({ name, status: expect.stringMatching(/passed|warned/) });
    expect(right["execution answers"]?.says).toContain("it accepts this zone");

    const mixed = await consultAboutLink(url, { ...env, EXECUTION_CLIENT_KEY_FILE: tempFile("tls.key", server.key) });
    expect(mixed["execution proof"]).toMatchObject({ status: "failed", says: "the zone can't start" });
    const missing = await consultAboutLink(url, { ...env, EXECUTION_CA_FILE: "/nowhere/ca.crt" });
    expect(advice(missing["execution proof"])).toContain("EXECUTION_CA_FILE names a file that cannot be read (ENOENT)");
    expect(missing["execution reachable"]).toMatchObject({ status: "skipped" });
  });
});

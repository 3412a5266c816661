import type { RequestListener } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { executionDoctor } from "@crosszone/execution";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { onAgentCore, startAws } from "../harness/connect-agentcore.ts";
import { advice, consultAboutLink, consultDoctor, linkToken, startPeer, withClock } from "../harness/consult-doctor.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startExecution } from "../harness/start-execution.ts";

async function execution(): Promise<string> {
  const zone = await startExecution({ token: linkToken, log: [] });
  onTestFinished(() => zone.stop());
  return zone.url;
}

/** Answers every POST with this JSON-RPC result. */
const resulting =
  (result: unknown, waitMs = 0): RequestListener =>
  (request, response) => {
    const answer = async (): Promise<void> => {
      const { id = null } = (await json(request).catch(() => ({}))) as { id?: unknown };
      await setTimeout(waitMs);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    void answer();
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
    const zone = await startExecution({ token: linkToken, log: [], override: () => onAgentCore });
    onTestFinished(() => zone.stop());
    return startAws(zone.url);
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

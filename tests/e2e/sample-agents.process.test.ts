// suite: rest
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { samples } from "@crosszone/dev-agents";
import type { TrafficEntry } from "@crosszone/dev-slack";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { databaseEnv, type ExecutionProcess, startExecutionProcess, startOnDatabase } from "@crosszone/testkit/process";
import { startAgent } from "@crosszone/testkit";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

// Each test starts a process, which is slow on a busy machine.
const partsOf = (body: unknown): unknown =>
  (body as { params?: { message?: { parts?: unknown } } }).params?.message?.parts ?? body;

test("R3.1, D4: a question in Slack goes over the bus to an agent of either protocol, and its answer is posted to the thread", async () => {
  const { agents, ask, answerTo, write, log, slack } = await startWithAgents();
  expect((await answerTo(write({ text: "agents" }))).text).toEqual(
    expect.toSatisfy((text: string) => samples.every(({ name }) => text.includes(name))),
  );
  expect(await ask("proofreader", "This is is a test .")).toMatch(/^\*\*proofreader\*\*\n\n2 things to look at:\n/);
  expect(await ask("keywords", "the agent asks the other agent")).toContain("agent, 2 times");
  expect(await ask("fingerprint", "abc")).toMatch(/^\*\*fingerprint\*\*\n\nSHA-256 of 3 bytes: `ba7816bf8f01cfea\w+`$/);

  const [first] = agents.control("proofreader").asked;
  expect(partsOf(first?.body)).toEqual([{ kind: "text", text: "This is is a test ." }]);
  expect(agents.control("fingerprint").asked).toMatchObject([{ body: { input: { text: "abc" } } }]);
  const followed = agents.control("keywords").asked.map(({ body }) => (body as { method: string }).method);
  expect([followed[0], new Set(followed.slice(1))]).toEqual(["message/send", new Set(["tasks/get"])]);
  const asked = samples.flatMap(({ name }) => agents.control(name).asked);
  const ofEvents = new Set(log.filter(({ event }) => event === "event_accepted").map((line) => line["correlation_id"]));
  for (const { headers } of asked) expect(ofEvents).toContain(headers["x-correlation-id"]);
  for (const secret of [slack.botToken, slack.signingSecret]) expect(JSON.stringify(asked)).not.toContain(secret);
});

test("the local Slack shows the requests to an agent and the responses", async () => {
  // The local Slack starts after the zone that posts to it.
  const slackUrl = Promise.withResolvers<string>();
  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    const headers = { "content-type": "application/json" };
    const passed = await fetch(`${await slackUrl.promise}${request.url}`, { method: "POST", headers, body });
    response.writeHead(passed.status).end();
  };
  const door = await serve(passOn);
  const env = { AGENT_EXCHANGES_URL: `${door}/control/agent-exchanges` };
  const { ask, slack, log } = await startWithAgents({ env });
  slackUrl.resolve(slack.url);
  await ask("proofreader", "This is is a test .");
  const shown = (): TrafficEntry[] => slack.control.traffic().filter(({ kind }) => kind === "agent");
  await expect.poll(shown).toHaveLength(1);
  const [accepted] = log.filter(({ event }) => event === "event_accepted");
  expect(shown()[0]).toMatchObject({
    name: "proofreader: message/send",
    status: 200,
    verdict: `jsonrpc-2.0, ${String(accepted?.["correlation_id"])}`,
    request: { params: { message: { parts: [{ text: "This is is a test ." }] } } },
    response: { result: { kind: "message" } },
  });
});

const ask = (agent: string, text: string) => ({ channel: "C1", text, bot_token: "handle", agent });

async function register(zone: ExecutionProcess, agent: object): Promise<void> {
  expect(await runsApi(zone.url).post("/agents", agent)).toMatchObject({ name: (agent as { name: string }).name });
}

/** Returns the names of the zone's agents, without built-in ones. */
async function registeredNames(zone: ExecutionProcess): Promise<string[]> {
  const { agents } = (await zone.call("list_agents", {})) as { agents: { name: string }[] };
  return agents.map(({ name }) => name).filter((name) => name !== "builtin");
}

async function taskOf(zone: ExecutionProcess, params: object): Promise<string> {
  return String((await zone.call("execute_task", params))["task_id"]);
}

onBothEngines("registered agents", (newDatabase) => {
  test("B17, R5.5: are registered at one process, called by another, and answer through a third", async () => {
    const agent = await startAgent((text) => text.toUpperCase());
    const database = await newDatabase();
    const env = { AGENT_ORIGINS: agent.origin, ADMIN_TOKENS: adminToken };
    const answers = await startOnDatabase(database, { ...env, EXECUTION_ROLES: "rpc" });
    const bridge = await startOnDatabase(database, { ...env, EXECUTION_ROLES: "bridge" });
    await register(bridge, { name: "shout & echo?", url: agent.url, description: "Shouts." });
    await vi.waitFor(async () => expect(await registeredNames(answers)).toEqual(["shout & echo?"]));

    const task = await taskOf(answers, { ...ask("shout & echo?", "hello"), correlation_id: "of-this-question" });
    expect(await answers.result(task)).toMatchObject({ response_text: "HELLO", agent: "shout & echo?" });
    expect(agent.requests).toMatchObject([
      { id: task, method: "message/send", text: "hello", headers: { "x-correlation-id": "of-this-question" } },
    ]);
    await expect(answers.call("execute_task", ask("nobody", "hello"))).rejects.toMatchObject({
      data: { kind: "unknown_agent" },
    });

    const rpc = await fetch(`${bridge.url}/rpc`, { method: "POST", body: "{}" });
    expect([rpc.status, await rpc.text()]).toEqual([404, expect.stringContaining("EXECUTION_ROLES")]);
    expect((await fetch(`${bridge.url}/readyz`)).status).toBe(200);
  });
});

test("D2, D4: an agents file with mistakes fails the start with each mistake and its line, and changes nothing", async () => {
  const path = writeAgentsFile(`agents:
  - { name: one, url: "https://agents.example.com/", protocol: smoke-signals }
  - { name: two, url: "http://169.254.169.254/latest" }
`);
  const database = await newSqliteDatabase();
  const { status, stderr } = spawnSync(process.execPath, ["--conditions=@crosszone/source", "src/main.ts"], {
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    env: { ...process.env, ...databaseEnv(database), EXECUTION_PORT: "0", EXECUTION_FILE: path },
    encoding: "utf8",
    timeout: 50_000,
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/execution\.yaml:2:\d+: \/agents\/0\/protocol .*jsonrpc-2\.0, simple-a2a/);
  expect(stderr).toMatch(/execution\.yaml:3:\d+: \/agents\/1\/url /);
  expect(await registeredNames(await startOnDatabase(database))).toEqual([]);
});

test.each(["node", "python", "go"])(
  "I1: the %s agent of the examples answers",
  async (language) => {
    const url = await startExampleAgent(language);
    const EXECUTION_FILE = writeAgentsFile([{ name: "counter", url }]);
    const zone = await startExecutionProcess({ EXECUTION_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
    const answer = await zone.ask("counter", "Grüße aus Köln");
    expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters", agent: "counter" } });
  },
  // The first Go build on a machine compiles the standard library.
  240_000,
);

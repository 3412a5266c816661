import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { databaseEnv, startTaskProcess, type TaskProcess } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/write-definitions.ts";

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 });

const admin = "0123456789abcdef0123456789abcdef";
const ask = (agent: string, text: string) => ({ channel: "C1", text, bot_token: "handle", agent });

async function register(zone: TaskProcess, agent: object): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${admin}` };
  const response = await fetch(`${zone.url}/api/v1/agents`, { method: "POST", headers, body: JSON.stringify(agent) });
  expect(await response.json()).toMatchObject({ name: (agent as { name: string }).name });
  expect(response.status).toBe(201);
}

/** Returns the names of the zone's agents, without built-in ones. */
async function registeredNames(zone: TaskProcess): Promise<string[]> {
  const { agents } = (await zone.call("list_agents", {})) as { agents: { name: string }[] };
  return agents.map(({ name }) => name).filter((name) => name !== "builtin");
}

async function taskOf(zone: TaskProcess, params: object): Promise<string> {
  return String((await zone.call("execute_task", params))["task_id"]);
}

onBothEngines("registered agents", (newDatabase) => {
  test("B17, R5.5: are registered at one process, called by another, and answer through a third", async () => {
    const agent = await startHttpAgent((text) => text.toUpperCase());
    const database = await newDatabase();
    const env = { AGENT_ORIGINS: agent.origin, AGENT_ADMIN_TOKENS: admin };
    const answers = await startTaskProcess(database, { ...env, EXECUTION_ROLES: "rpc" });
    const bridge = await startTaskProcess(database, { ...env, EXECUTION_ROLES: "bridge" });
    await register(bridge, { name: "shout & echo?", url: agent.url, description: "Shouts." });
    await vi.waitFor(async () => expect(await registeredNames(answers)).toEqual(["shout & echo?"]), 30_000);

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

test("D4: agents are declared in a file; edits apply at once, and a mistake in one changes nothing", async () => {
  const agent = await startHttpAgent((text) => `${text}!`);
  const [one, two] = ["one", "two"].map((name) => `  - { name: ${name}, url: "${agent.url}" }\n`) as [string, string];
  const AGENTS_FILE = await writeAgentsFile(`agents:\n${one}${two}`);
  const zone = await startTaskProcess(await newSqliteDatabase(), { AGENT_ORIGINS: agent.origin, AGENTS_FILE });
  expect(await registeredNames(zone)).toEqual(["one", "two"]);
  expect(await zone.result(await taskOf(zone, ask("two", "hi")))).toMatchObject({ response_text: "hi!" });
  await writeFile(AGENTS_FILE, `agents:\n${two}`);
  await expect.poll(() => registeredNames(zone), { timeout: 20_000 }).toEqual(["two"]);
  await writeFile(AGENTS_FILE, `agents:\n${one}  - { name: three }\n`);
  const refused = () => zone.log.find(({ event }) => event === "agents_file_not_usable")?.["because"];
  await expect.poll(refused, { timeout: 20_000 }).toMatch(/agents\.yaml:3:/);
  expect(await registeredNames(zone)).toEqual(["two"]);
});

test("D2, D4: an agents file with mistakes fails the start with each mistake and its line, and changes nothing", async () => {
  const path = await writeAgentsFile(`agents:
  - { name: one, url: "https://agents.example.com/", protocol: smoke-signals }
  - { name: two, url: "http://169.254.169.254/latest" }
`);
  const database = await newSqliteDatabase();
  const { status, stderr } = spawnSync(process.execPath, ["--conditions=@crosszone/source", "src/main.ts"], {
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    env: { ...process.env, ...databaseEnv(database), EXECUTION_PORT: "0", AGENTS_FILE: path },
    encoding: "utf8",
    timeout: 50_000,
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/agents\.yaml:2:\d+: \/agents\/0\/protocol .*jsonrpc-2\.0, simple-a2a/);
  expect(stderr).toMatch(/agents\.yaml:3:\d+: \/agents\/1\/url /);
  expect(await registeredNames(await startTaskProcess(database))).toEqual([]);
});

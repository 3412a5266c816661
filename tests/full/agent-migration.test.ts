// @module-tag judge
import { setTimeout as delay } from "node:timers/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { AgentRecord } from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { type ExecutionProcess, startOnDatabase } from "@crosszone/testkit/process";
import { createAgent, type Handler } from "@crosszone/agent";
import { serve } from "@crosszone/testkit/temporary";
import { type ProgramEnd, runProgram } from "../harness/run-program.ts";
import { adminToken } from "../harness/runs-api.ts";

type MendableAgent = Awaited<ReturnType<typeof startMendableAgent>>;

/** Starts an agent of the TypeScript kit for A2A 1.0 and 0.3 on a free port. Its answers can be broken. Ends with the test. */
async function startMendableAgent(name: string, handler: Handler) {
  /** Questions to the handler, without those of conformance checks. */
  const asked: string[] = [];
  const { listener } = createAgent({ name, description: "Answers.", onError: () => undefined }, (message, task) => {
    if (message.text.startsWith("task ")) asked.push(message.text);
    return handler(message, task);
  });
  /** While `isBad`, answers in A2A 1.0 have a wrong id. */
  const agent = { url: "", asked, isBad: false };
  agent.url = await serve((request, response) => {
    const isNew = request.headers["a2a-version"] === "1.0" && request.headers["x-passed-on"] === undefined;
    const isBad = agent.isBad && isNew && request.method === "POST";
    return isBad ? answerBadly(agent.url, request, response) : listener(request, response);
  });
  return agent;
}

/** Forwards a request to the agent and replaces the id of its answer. */
async function answerBadly(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = { "content-type": request.headers["content-type"] ?? "", "a2a-version": "1.0", "x-passed-on": "yes" };
  const answer = await fetch(url, { method: "POST", headers, body: await readText(request) });
  const body = await answer.text();
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
  response.end(body.replace(/"id":(\d+|null|"[^"]*")/, '"id":"other"'));
}

const soon = { timeout: 30_000, interval: 50 };

const startZone = (database: string): Promise<ExecutionProcess> =>
  startOnDatabase(database, { ADMIN_TOKENS: adminToken, AGENT_ORIGINS: "http://127.0.0.1:*" });

/** Runs the `crosszone` command against a zone. */
const cli = ({ url }: ExecutionProcess, ...words: string[]): Promise<ProgramEnd> =>
  runProgram("tools/cli/src/main.ts", { CROSSZONE_URL: url, CROSSZONE_TOKEN: adminToken }, "agents", ...words);

async function api<Body = AgentRecord>({ url }: ExecutionProcess, line: string, body?: unknown): Promise<Body> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
  const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return (await (await fetch(`${url}/api/v1${path}`, sent)).json()) as Body;
}

/** Asks an agent a question in a new conversation. Returns the answer or the error's message. */
async function ask(zone: ExecutionProcess, agent: string, text: string): Promise<unknown> {
  try {
    const { task_id, ...done } = await zone.call("execute_task", { channel: "C1", text, bot_token: "none", agent });
    const answer = done["status"] === "success" ? done : await zone.result(String(task_id));
    return answer["response_text"];
  } catch (error) {
    return (error as Error).message;
  }
}

/** Asks agents round robin, eight questions at a time, until the load is stopped. Returns the wrong answers of each task. */
function load(zone: ExecutionProcess, names: readonly string[]) {
  const answers = new Map<string, unknown>();
  const over = new AbortController();
  let count = 0;
  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const index = count++;
      const text = `task ${index}`;
      answers.set(text, "none");
      answers.set(text, await ask(zone, names[index % names.length] ?? "", text));
      // The agents, the zone and the load share two cores.
      await delay(20);
    }
  };
  const done = Promise.all(Array.from({ length: 8 }, work));
  const stop = async (): Promise<ReadonlyMap<string, unknown>> => {
    over.abort();
    await done;
    return answers;
  };
  onTestFinished(() => over.abort());
  return { stop };
}

test("R10.5, K2: one bad agent of 20 is named and none moves; once it is fixed, all move under load without losing a task, and move back in one command", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `agent${index + 1}`);
  const agents = await Promise.all(names.map((name) => startMendableAgent(name, ({ text }) => `${name}: ${text}`)));
  const zone = await startZone(await newSqliteDatabase());
  const protocols = async (): Promise<string[]> => {
    const { agents: found } = await api<{ agents: AgentRecord[] }>(zone, "GET /agents?limit=100");
    return [...new Set(found.map(({ protocol }) => protocol))];
  };
  for (const [index, name] of names.entries())
    await api(zone, "POST /agents", { name, url: agents[index]?.url, protocol: "jsonrpc-2.0" });
  const bad = agents[6] as MendableAgent;
  bad.isBad = true;

  const refused = await cli(zone, "migrate", "--to", "a2a-1.0");
  expect(refused.code).toBe(1);
  expect(refused.out).toMatch(/^agent7 +jsonrpc-2\.0 +does not comply +\S/m);
  expect(refused.out.match(/ complies$/gm)).toHaveLength(19);
  expect(refused.err).toContain("No agent was moved to a2a-1.0.");
  expect(refused.err).toMatch(/^agent7\n {2}[a-z0-9-]+: .+/m);
  expect(await protocols()).toEqual(["jsonrpc-2.0"]);

  bad.isBad = false;
  const running = load(zone, names);
  const moved = await cli(zone, "migrate", "--to", "a2a-1.0");
  expect(moved).toMatchObject({ code: 0, err: "" });
  expect(moved.out).toContain("Moved 20 agents to a2a-1.0.");
  expect(await protocols()).toEqual(["a2a-1.0"]);
  const asked = (): number => agents.reduce((sum, agent) => sum + agent.asked.length, 0);
  const before = asked();
  await expect.poll(asked, soon).toBeGreaterThan(before + 40);

  const back = await cli(zone, "rollback", "--all");
  expect(back).toMatchObject({ code: 0, err: "" });
  expect(back.out).toContain("Restored 20 agents.");
  expect(await protocols()).toEqual(["jsonrpc-2.0"]);
  const after = asked();
  await expect.poll(asked, soon).toBeGreaterThan(after + 40);

  const answers = [...(await running.stop())];
  const wrong = answers.filter(([text, answer], index) => answer !== `agent${(index % 20) + 1}: ${text}`);
  expect(wrong).toEqual([]);
  expect(agents.flatMap((agent) => agent.asked).toSorted()).toEqual(answers.map(([text]) => text).toSorted());
});

test("K2: a running task ends at the URL where it began after kill -9, even if its agent was moved", async () => {
  const database = await newSqliteDatabase();
  const zone = await startZone(database);
  const gate = Promise.withResolvers<void>();
  const next = await startMendableAgent("next", () => "next");
  const former = await startMendableAgent("former", async ({ text }) => {
    await gate.promise;
    return `former: ${text}`;
  });
  await api(zone, "POST /agents", { name: "A", url: former.url });
  const sent = { channel: "C1", text: "task 1", bot_token: "none", agent: "A" };
  const { task_id } = await zone.call("execute_task", sent);
  await expect.poll(() => former.asked, soon).toEqual(["task 1"]);
  // The agent's id of the task is stored: another process polls it instead of sending the task again.
  await expect
    .poll(async () => JSON.stringify(await api(zone, `GET /tasks/${String(task_id)}`)), soon)
    .toContain("remote_id");
  await api(zone, "PATCH /agents/A", { url: next.url });
  zone.signal("SIGKILL");
  await zone.ended;
  const other = await startZone(database);
  gate.resolve();
  expect(await other.result(String(task_id))).toMatchObject({ status: "success", response_text: "former: task 1" });
  expect([former.asked, next.asked]).toEqual([["task 1"], []]);
});

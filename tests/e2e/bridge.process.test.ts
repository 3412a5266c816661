import { startDevAgents } from "@crosszone/dev-agents";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { expectEachOutcome, faultAgents } from "../harness/fault-agents.ts";
import { startHttpAgent, type HttpAgent } from "../harness/start-http-agent.ts";
import { askAgent, startTaskProcess } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/write-definitions.ts";

// One process with all roles on SQLite, the default. `tests/full/bridge-executor.test.ts` tests Kafka and PostgreSQL.
vi.setConfig({ testTimeout: 120_000 });

const soon = { timeout: 60_000, interval: 10 };

/** Returns the bridge's calls by state. */
function callStates(database: string): Record<string, number> {
  // The zone's file is in the folder of the database.
  const path = resolve(database.slice("sqlite:".length), "../execution.sqlite");
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = file
      .prepare(
        "select coalesce(outcome, 'open') as state, count(*) as number from job where kind = 'agent_call' group by 1",
      )
      .all();
    return Object.fromEntries(rows.map(({ state, number }) => [String(state), Number(number)]));
  } finally {
    file.close();
  }
}

test("R8.6, N4, B10, B14: whatever an agent does wrong, its caller gets one correct result, and only one loop retries", async () => {
  const dev = await startDevAgents({ slowMs: 500, taskMs: 500 });
  onTestFinished(() => dev.close());
  const agents = faultAgents(dev);
  const database = await newSqliteDatabase();
  const AGENTS_FILE = await writeAgentsFile(agents.map(({ settings }) => settings));
  const zone = await startTaskProcess(database, { AGENTS_FILE, AGENT_ORIGINS: dev.url });
  await expectEachOutcome(zone, agents);
  expect(callStates(database)).toEqual({ succeeded: 11, failed: 15 });
});

/** Prepares a process on its own database file. Each start uses the same file. */
async function prepare(agents: Readonly<Record<string, HttpAgent>>) {
  const database = await newSqliteDatabase();
  const settings = Object.entries(agents).map(([name, { url }]) => ({
    name,
    url,
    max_concurrency: 100,
    timeout_ms: 240_000,
  }));
  const origins = Object.values(agents).map(({ origin }) => origin);
  const env = { AGENTS_FILE: await writeAgentsFile(settings), AGENT_ORIGINS: origins.join(",") };
  return { database, start: () => startTaskProcess(database, env) };
}

test("N5, B12: a task that is canceled during a call is aborted at the agent, and stays canceled whatever the agent answers", async () => {
  const answers = Promise.withResolvers<string>();
  const agent = await startHttpAgent(() => answers.promise);
  const { database, start } = await prepare({ A: agent });
  const zone = await start();
  const tasks = await Promise.all(Array.from({ length: 20 }, (_, n) => askAgent(zone, "A", `question ${n}`)));
  await vi.waitFor(() => expect(agent.requests).toHaveLength(20), soon);
  const canceled = tasks.slice(0, 10);
  for (const task_id of canceled)
    expect(await zone.call("cancel_task", { task_id })).toMatchObject({ status: "canceled" });
  await vi.waitFor(() => expect(agent.requests.filter(({ left }) => left)).toHaveLength(10), soon);
  answers.resolve("answered");
  for (const task of canceled) await expect(zone.result(task)).rejects.toMatchObject({ data: { kind: "canceled" } });
  for (const task of tasks.slice(10)) expect(await zone.result(task)).toMatchObject({ response_text: "answered" });
  const left = agent.requests.filter((request) => request.left).map(({ id }) => id);
  expect(left.toSorted()).toEqual(canceled.toSorted());
  expect(callStates(database)).toEqual({ canceled: 10, succeeded: 10 });
});

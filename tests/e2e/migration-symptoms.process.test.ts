import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { TaskList, TaskRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { endlessAgents, failingAgents, misleadingAgents } from "../harness/broken-agents.ts";
import { startBrokenAgents, type BrokenAgent } from "../harness/start-broken-agents.ts";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { askZone, startOpenExecution } from "../harness/start-task-process.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";
import { rowsAfter } from "../harness/browser.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/migrate-agents.md"), "utf8");

/** Returns the quoted words of a table on the page. */
const quoted = (table: string): string[] =>
  rowsAfter(page, table).map(([cell = ""]) => /^“(.*)”$/.exec(cell)?.[1] ?? cell);

const wordsOf = (agents: Readonly<Record<string, BrokenAgent>>): string[] => [
  ...new Set(Object.values(agents).map(({ words }) => words)),
];

/** The words about an agent on the official SDK that speaks only A2A 1.0 and is registered as 0.3. */
const versionWords = "The agent answered with JSON-RPC error -32009: …";

/** Returns a pattern for these words, in which `…` matches any text. */
const matching = (words: string): RegExp =>
  new RegExp(
    words
      .split("…")
      .map((part) => RegExp.escape(part).replaceAll("\\x20", "\\s+"))
      .join("[^]*"),
  );

/** Returns the expected answer or owner's text of each agent. */
const expected = (agents: Readonly<Record<string, BrokenAgent>>): object =>
  Object.fromEntries(
    Object.entries(agents).map(([name, { words }]) => [name, expect.stringMatching(matching(words)) as unknown]),
  );

/** Returns the answer, or the owner's text about the failure. */
async function toldBy(zone: string, agent: string): Promise<string> {
  const { result, error } = (await askZone(zone, { agent, text: "Hello" })) as {
    readonly result?: { readonly response_text: string };
    readonly error?: { readonly data: { readonly owner_detail: string } };
  };
  return result?.response_text ?? error?.data.owner_detail ?? "";
}

async function eachOf(
  agents: Readonly<Record<string, BrokenAgent>>,
  ask: (name: string) => Promise<string>,
): Promise<object> {
  return Object.fromEntries(await Promise.all(Object.keys(agents).map(async (name) => [name, await ask(name)])));
}

test("R10.4: exactly the symptoms of the migration guide are reproduced here", () => {
  const failing = [...wordsOf(failingAgents), ...wordsOf(endlessAgents), versionWords];
  expect(quoted("symptoms: errors").toSorted()).toEqual(failing.toSorted());
  expect(quoted("symptoms: answers").toSorted()).toEqual(wordsOf(misleadingAgents).toSorted());
});

test("R10.4, I3: agent owners read the guide's words, and people the answers that it warns of", async () => {
  const agents = { ...failingAgents, ...misleadingAgents };
  const { settings, calls } = await startBrokenAgents(agents);
  const sdk = await startExampleAgent("a2a-js");
  const AGENTS_FILE = writeAgentsFile([
    ...settings,
    { name: "version-1-only", url: `${sdk}/a2a`, protocol: "jsonrpc-2.0" },
  ]);
  const env = { AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*", SHOW_AGENT_ERRORS: "true" };
  const { url } = await startOpenExecution(env);
  expect(await eachOf(agents, (name) => toldBy(url, name))).toEqual(expected(agents));
  expect(await toldBy(url, "version-1-only")).toMatch(matching(versionWords));
  // The same message twice: an agent that doesn't recognize it runs the task twice.
  const [first, second] = calls.get("blocks") ?? [];
  expect(first?.params?.message?.messageId).toMatch(/^msg-/);
  expect(second).toEqual(first);
});

test("R10.4: if an agent never ends a task, people read that it took too long", async () => {
  const { ask } = await startEndless();
  expect(await eachOf(endlessAgents, (name) => ask(name, "Hello"))).toEqual(expected(endlessAgents));
});

test("O5: a task that ended at its deadline was shown as canceled, with 0 attempts, and no one read which agent was slow", async () => {
  const { ask, url } = await startEndless();
  for (const [name, told] of Object.entries(await eachOf(endlessAgents, (agent) => ask(agent, "Hello"))))
    expect(told).toContain(`The agent “${name}” took too long, so I stopped it.`);
  const api = runsApi(url);
  const { tasks } = (await api.get("/tasks?limit=10")) as TaskList;
  const shown = await Promise.all(tasks.map(async ({ task_id }) => (await api.get(`/tasks/${task_id}`)) as TaskRecord));
  expect(shown.map(({ agent }) => agent).toSorted()).toEqual(Object.keys(endlessAgents).toSorted());
  for (const { agent, state, agent_calls } of shown)
    expect({ agent, state, agent_calls }).toMatchObject({
      state: "timed_out",
      agent_calls: [{ attempts: 1, error_kind: "deadline_exceeded" }],
    });
});

async function startEndless() {
  const { settings } = await startBrokenAgents(endlessAgents);
  const AGENTS_FILE = writeAgentsFile(settings);
  const env = { AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*", TASK_DEADLINE: "2s", ADMIN_TOKENS: adminToken };
  return startWithAgents({ env });
}

// suite: rest
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { TaskList, TaskRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { callerOf, startExecutionProcess } from "@crosszone/testkit/process";
import {
  artifact,
  type BrokenAgent,
  cardOf,
  completed,
  html,
  json,
  methodNotFound,
  piece,
  result,
  says,
  slowly,
  startBrokenAgents,
  stream,
  task,
} from "../harness/start-broken-agents.ts";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { rowsAfter } from "../harness/browser.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

/** Mistakes that make a question fail, by name. */
const failingAgents: Readonly<Record<string, BrokenAgent>> = {
  "still-simple": {
    words: "The agent's answer is not a JSON-RPC 2.0 response: it has no member jsonrpc.",
    answer: (_call, response) => json(response, { status: "success", output: { text: "42" }, error: null }),
  },
  "simple-no-more": {
    words: "The agent's answer is not a simple-a2a response: its status is missing.",
    settings: { protocol: "simple-a2a" },
    answer: ({ id }, response) =>
      json(response, { jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid request" } }),
  },
  "other-methods": {
    words: "The agent answered with JSON-RPC error -32601: Method not found",
    answer: ({ id }, response) => json(response, { jsonrpc: "2.0", id, error: methodNotFound }),
  },
  "no-route": {
    words:
      "The agent answered with HTTP 404: it rejects the request; check the agent's url and protocol in the registry.",
    answer: (_call, response) => html(response, 404),
  },
  "other-media-type": {
    words:
      "The agent answered with HTTP 415: it rejects the request; check the agent's url and protocol in the registry.",
    answer: (_call, response) => json(response, { detail: "Unsupported media type" }, 415),
  },
  "web-page": {
    words: "The agent's answer (HTTP 200, … bytes) is not JSON.",
    answer: (_call, response) => html(response, 200),
  },
  "bad-gateway": {
    words: "The agent answered with HTTP 502: it can't answer right now.",
    answer: (_call, response) => html(response, 502),
  },
  "wants-credentials": {
    words: "The agent answered with HTTP 401: it rejects our credentials; check the agent's auth in the registry.",
    answer: (_call, response) => json(response, { detail: "Not authenticated" }, 401),
  },
  "trailing-slash": {
    words: "answered with a redirect (HTTP 307) to the same URL with a slash at its end, which is not followed.",
    answer: (_call, response) => void response.writeHead(307, { location: "/a2a/" }).end(),
  },
  "own-id": {
    words: "The agent's answer is not a JSON-RPC 2.0 response: its id is 1 instead of the request's …",
    answer: (_call, response) =>
      json(response, { jsonrpc: "2.0", id: 1, result: { ...task, status: { state: "completed" } } }),
  },
  "old-state": {
    words: 'The agent\'s answer has an unknown task state, "success"',
    answer: result({ ...task, status: { state: "success" }, artifacts: [artifact] }),
  },
  "no-state": {
    words: "The agent's answer has no task state: status.state is missing",
    card: cardOf("0.3"),
    // Without `kind`, this is not recognized as an update.
    answer: stream({ taskId: "task-9", contextId: "ctx-1", artifact, lastChunk: true }),
  },
  "no-task-id": {
    words: "The agent says that the task is submitted, but gives no id to poll it.",
    answer: result({ kind: "task", contextId: "ctx-1", status: { state: "submitted" }, artifacts: [artifact] }),
  },
  "wrong-url": {
    words:
      'names the URL "http://agent.example/", which is not on the registered … Correct the card\'s URL, or register the agent with that URL.',
    card: () => cardOf("1.0")("http://agent.example/"),
    answer: result({}),
  },
  "only-grpc": {
    words: "offers GRPC 1.0, but Crosszone needs JSONRPC with A2A 1.0 or 0.3. Add such an interface to the agent.",
    card: (url) =>
      cardOf("1.0", { supportedInterfaces: [{ url, protocolBinding: "GRPC", protocolVersion: "1.0" }] })(url),
    answer: result({}),
  },
  blocks: {
    words: "did not answer within 500 ms.",
    settings: { timeout_ms: 500, retry: { max_retries: 1, base_ms: 1, max_ms: 1 } },
    answer: slowly(1_500, { ...task, status: { state: "completed" }, artifacts: [artifact] }),
  },
  "empty-stream": {
    words: "ended its stream before the first event.",
    card: cardOf("0.3"),
    answer: (call, response) => (call.method === "message/stream" ? stream()(call, response) : html(response, 404)),
  },
};

/** Mistakes that last until the deadline of the task. */
const endlessAgents: Readonly<Record<string, BrokenAgent>> = {
  "submitted-forever": {
    words: "took too long, so I stopped it.",
    answer: result({ ...task, status: { state: "submitted" }, artifacts: [artifact] }),
  },
  "open-stream": {
    words: "took too long, so I stopped it.",
    card: cardOf("0.3"),
    answer: stream({ ...task, status: { state: "working" } }, { ...piece("42"), lastChunk: true }, "open"),
  },
};

/** Mistakes that show in the answer. */
const misleadingAgents: Readonly<Record<string, BrokenAgent>> = {
  "progress-as-answer": {
    words: "Working on it…",
    answer: result({ ...task, status: { state: "completed", message: says("Working on it…") }, history: [says("42")] }),
  },
  "whole-text-appended": {
    words: "The answer The answer is 42.",
    card: cardOf("0.3"),
    answer: stream(
      { ...task, status: { state: "working" } },
      piece("The answer "),
      piece("The answer is 42."),
      completed,
    ),
  },
  "no-answer": {
    words: "The agent finished without an answer.",
    answer: result({ ...task, status: { state: "completed" } }),
  },
};

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
  const answer = (await callerOf(zone).ask(agent, "Hello")) as {
    readonly result?: { readonly response_text: string };
    readonly error?: { readonly data: { readonly owner_detail: string } };
  };
  return answer.result?.response_text ?? answer.error?.data.owner_detail ?? "";
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
  const EXECUTION_FILE = writeAgentsFile([
    ...settings,
    { name: "version-1-only", url: `${sdk}/a2a`, protocol: "jsonrpc-2.0" },
  ]);
  const env = { EXECUTION_FILE, AGENT_ORIGINS: "http://127.0.0.1:*", SHOW_AGENT_ERRORS: "true" };
  const { url } = await startExecutionProcess(env);
  expect(await eachOf(agents, (name) => toldBy(url, name))).toEqual(expected(agents));
  expect(await toldBy(url, "version-1-only")).toMatch(matching(versionWords));
  // The same message twice: an agent that doesn't recognize it runs the task twice.
  const [first, second] = calls.get("blocks") ?? [];
  expect(first?.params?.message?.messageId).toMatch(/^msg-/);
  expect(second).toEqual(first);
});

test("R10.4, O5: a task that ended at its deadline was shown as canceled, with 0 attempts, and no one read which agent was slow", async () => {
  const { settings } = await startBrokenAgents(endlessAgents);
  const EXECUTION_FILE = writeAgentsFile(settings);
  const env = { EXECUTION_FILE, AGENT_ORIGINS: "http://127.0.0.1:*", TASK_DEADLINE: "2s", ADMIN_TOKENS: adminToken };
  const { ask, url } = await startWithAgents({ env });
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

import { expect, test } from "vitest";
import {
  answerWith,
  deleted,
  type FakeAnswer,
  type FakeAnswers,
  refusing,
  startFakeZone,
} from "../../testing/fake-zone.ts";
import { counter } from "../../testing/records.ts";
import { runCli, testCommands } from "../../testing/run-cli.ts";

const { url } = counter;
const card = { name: "Word counter", supportedInterfaces: [{ protocolVersion: "1.0" }] };
const health = { name: "counter", status: "healthy", checked_at: counter.updated_at, duration_ms: 7, card };
const list = { agents: [counter], total: 1 };
const exchange = {
  at: "2026-03-02T09:15:00.250Z",
  operation: "send",
  protocol: "a2a-1.0",
  duration_ms: 7,
  request: { method: "SendMessage" },
  status: 200,
  response: { result: {} },
};
const previous = { protocol: "auto", protocol_config: {}, url: "http://10.0.0.1/", at: "2026-11-20T06:00:00Z" };
const moved = { ...counter, name: "moved", protocol: "simple-a2a", previous };

const at = "2026-03-02T09:15:00.250Z";
const day = { calls: 6, attempts: 9, failed: 5, asked: 1 };
const failing = {
  ...counter,
  name: "failing",
  description: "",
  card: {
    name: "F",
    description: "Counts\u001b[2J words.",
    skills: [{ id: "c", name: "C", description: "", examples: ["How many?"] }],
  },
  activity: { waiting: 0, ended: 6, failed: 5, day },
};
const failedCall = {
  at,
  kind: "unreachable",
  made_by: "run",
  run_id: "run-1",
  task_id: "run-1.1",
  workflow_id: "publish-text",
  path: "each[3].shout",
  correlation_id: "c-1",
  attempts: 4,
} as const;
const { workflow_id: _workflow, path: _path, ...outside } = failedCall;
const failedCalls = {
  calls: [failedCall, { ...outside, made_by: "task" }, { ...outside, made_by: "test", attempts: 1 }],
  total: 3,
};

const answerRpc: FakeAnswer = (response, { body }) => {
  const { id, method } = body as { readonly id: string; readonly method: string };
  const answered = { status: "success", task_id: "t1", response_text: "5 words", agent: "counter" };
  const result = method === "execute_task" ? { status: "accepted", task_id: "t1" } : answered;
  answerWith(response, 200, { jsonrpc: "2.0", id, result });
};

const exchanged = `Card: Word counter, A2A 1.0
Question: How many words?

> send (a2a-1.0)
  {"method":"SendMessage"}
< HTTP 200 (7 ms)
  {"result":{}}

Answer: 5 words
`;

const zone: FakeAnswers = {
  "GET /agents?limit=20": list,
  "GET /agents?limit=200": list,
  "GET /agents/counter": counter,
  "GET /agents/countr": refusing("agent-not-found"),
  "GET /agents/moved": moved,
  "GET /agents/failing": failing,
  "GET /agents/failing/failed-calls?limit=200": failedCalls,
  "POST /agents": (response, { body }) => answerWith(response, 201, { ...counter, ...(body as object) }),
  "PATCH /agents/counter": counter,
  "DELETE /agents/counter": deleted,
  "POST /agents/counter/health": health,
  "POST /agents/moved/rollback": moved,
  "POST /agent-tests": {
    status: "answered",
    health,
    exchanges: [exchange],
    output: { text: "5 words" },
    duration_ms: 9,
  },
};
const added = ["POST /agents", { name: "counter", url }] as const;
const checked = "POST /agents/counter/health";

testCommands(zone, [
  [
    "an added agent is checked, and what comes next is told",
    `agents add counter ${url} --timeout 2m`,
    {
      out: /^Added counter\.\nIt is healthy \(7 ms\)\.\nCard: Word counter, A2A 1\.0\nAsk it: /,
      sends: [["POST /agents", { name: "counter", url, timeout_ms: 120_000 }], checked],
    },
  ],
  [
    "an added agent that does not answer exits 1, and nobody is invited to ask it",
    `agents add counter ${url}`,
    {
      zone: { [checked]: { ...health, status: "unhealthy" } },
      code: 1,
      out: /^Added counter\.\n(?![^]*Ask it)/,
      err: "It does not answer. Fix it, then: crosszone agents test counter\n",
      sends: [added, checked],
    },
  ],
  [
    "agents are listed",
    "agents",
    {
      out: /^AGENT +PROTOCOL +STATE +CIRCUIT +WAITING +24 HOURS +LAST FAILURE +URL\ncounter +auto +on +0 +http:\S+\n$/,
    },
  ],
  [
    "Q17: the calls and failures of an agent are counted, and each failed one names what made it",
    "agents show failing --failed",
    {
      out: /24 hours +6 calls, 9 attempts, 5 failed, 1 asked back\n\nFAILED +WHY +ATTEMPTS +MADE BY +ID\n.* ago +unreachable +4 +publish-text, step each\[3\]\.shout +run-1\n.* +a question +c-1\n.* 1 +a test +c-1\n$/,
    },
  ],
  [
    "Q19: an agent without a description is shown with the words of its card, which can't move the cursor",
    "agents show failing",
    { out: /^description +Counts\\u001b\[2J words\. \(its card\)\nexamples +"How many\?"$/m },
  ],
  ["the texts of an agent can't move the cursor", "agents show counter", { out: ["Counts\\u001b[2J"] }],
  [
    "K2: an agent is shown with what a rollback restores",
    "agents show moved",
    { out: ["before       auto at http://10.0.0.1/, until 2026-11-20T06:00:00Z\n"] },
  ],
  [
    "K2: an agent is rolled back",
    "agents rollback moved",
    { out: "moved is back to simple-a2a at http://127.0.0.1:8090.\n", sends: ["POST /agents/moved/rollback"] },
  ],
  [
    "agents set changes only the settings that it names",
    `agents set counter --url ${url}/a --timeout 2m --side-effects yes`,
    {
      out: /^Changed counter\.\n/,
      sends: [["PATCH /agents/counter", { url: `${url}/a`, timeout_ms: 120_000, side_effects: true }]],
    },
  ],
  [
    "agents test shows the card, the question, the exchange and the answer",
    'agents test counter --ask "How many words?"',
    { out: [exchanged], sends: [["POST /agent-tests", { agent: "counter", text: "How many words?" }]] },
  ],
  [
    "agents test asks a URL, too, and Hello without a question",
    `agents test ${url}`,
    { out: ["Question: Hello\n"], sends: [["POST /agent-tests", { url, text: "Hello" }]] },
  ],
  ["a name with spaces gets a slug", `agents add "Bad Name" ${url}`, { code: 2, err: ["Try: bad-name"] }],
  [
    "a name that is taken gets agents set as a suggestion",
    `agents add counter ${url}`,
    {
      zone: { "POST /agents": refusing("name-taken", 409) },
      code: 2,
      err: ["Change it with: crosszone agents set counter"],
      sends: [added],
    },
  ],
  [
    "a URL without a scheme is refused with what to write",
    "agents add a localhost:8090",
    { code: 2, err: ['<url> must start with http:// or https://, got "localhost:8090".'] },
  ],
  [
    "a misspelled name gets the nearest one as a suggestion",
    "agents show countr",
    { code: 3, err: 'It is refused: "countr". Did you mean counter?\n' },
  ],
]);

// A zone without answers: any request would be refused with exit code 3.
testCommands({}, [
  ["a migration needs its protocol", "agents migrate", { code: 2, err: ["--to is missing"] }],
  [
    "a migration is of named agents or sets the default",
    "agents migrate a --to a2a-1.0 --default",
    { code: 2, err: ["--default can't be combined"] },
  ],
  ["a rollback needs a name", "agents rollback", { code: 2, err: ["Name one agent, or write --all"] }],
  ["a rollback is of one or all", "agents rollback a --all", { code: 2, err: ["Name one agent, or write --all"] }],
]);

test("agents add asks what the card offers, and Hello without a card: an answer from nowhere does not count as one", async () => {
  const add = async (seen: object, tested: object, ...options: string[]) => {
    const { url: to, requestsFor } = await startFakeZone({
      ...zone,
      [checked]: { ...health, ...seen },
      "POST /agent-tests": { health, exchanges: [], duration_ms: 9, ...tested },
    });
    const told = await runCli(to, ["agents", "add", "counter", url, ...options]);
    return { ...told, asked: requestsFor("POST /agent-tests").map(({ body }) => (body as { text: string }).text) };
  };
  const withExample = { card: { ...card, skills: [{ examples: ["How many words?"] }] } };
  const answered = { status: "answered", output: { text: "5 words" } };
  const shown = await add(withExample, answered);
  expect(shown).toMatchObject({ code: 0, err: "", asked: ["How many words?"] });
  expect(shown.out).toMatch(/Question: How many words\?\nAnswer: 5 words\nAsk it: /);
  const failure = { kind: "input_required", message: "It asks: Which?", retryable: false };
  expect(await add(withExample, { status: "failed", failure })).toMatchObject({ code: 0, err: "" });

  const noCard = { status: "reachable", card: null };
  const failed = { status: "failed", failure: { kind: "http_error", message: "HTTP 404", retryable: false } };
  const missing = await add(noCard, failed);
  expect(missing).toMatchObject({ code: 1, asked: ["Hello"] });
  expect(missing.err).toBe("No answer: HTTP 404\nIt does not answer. Fix it, then: crosszone agents test counter\n");
  expect(missing.out).not.toContain("Ask it");
  const json = await add(noCard, failed, "--json");
  expect(JSON.parse(json.out)).toMatchObject({ name: "counter", health: noCard, test: failed });

  for (const options of [["--side-effects", "yes"], ["--no-question"]])
    expect(await add(withExample, answered, ...options)).toMatchObject({ code: 0, asked: [] });
});

test("a question is sent over the zone link and followed to its answer, with the agent's progress", async () => {
  const asked = await startFakeZone({ "POST /rpc": answerRpc });
  const told = await runCli(asked.url, ["ask", "counter", "How many?", "--context", "c1"]);
  expect(told).toEqual({ code: 0, out: "5 words\n", err: "" });
  expect(asked.requests.map(({ body }) => body)).toMatchObject([
    { method: "execute_task", params: { agent: "counter", text: "How many?", context_id: "c1" } },
    { method: "get_async_task_result", params: { task_id: "t1" } },
  ]);
});

// suite: rest
import { expect, test } from "vitest";
import { answerWith, problem, startFakeZone, type FakeAnswer, runCli } from "../testing/fake-zone.ts";

const counter = {
  id: "0b0f3c0e-7f5b-4f0e-9d6c-2d7b1c9a4e11",
  name: "counter",
  url: "http://127.0.0.1:8090",
  description: "Counts\u001b[2J",
  protocol: "auto",
  protocol_config: {},
  auth: { type: "none" },
  timeout_ms: 30_000,
  max_concurrency: 10,
  enabled: true,
  retry: { max_retries: 3, base_ms: 500, max_ms: 30_000 },
  breaker: { failures: 5, open_ms: 30_000 },
  source: "api",
  revision: 1,
  created_at: "2026-11-21T06:00:00Z",
  updated_at: "2026-11-21T06:00:00Z",
};
const card = { name: "Word counter", supportedInterfaces: [{ protocolVersion: "1.0" }] };
const health = { name: "counter", status: "healthy", checked_at: counter.updated_at, duration_ms: 7, card };
const list = { agents: [counter], total: 1, limit: 20, offset: 0 };

const lists = { "GET /agents?limit=20&offset=0": list, "GET /agents?limit=200&offset=0": list };

function answerRpc(results: Readonly<Record<string, object>>): FakeAnswer {
  return (response, { body }) => {
    const { id, method } = body as { readonly id: string; readonly method: string };
    const result = results[method] ?? {};
    answerWith(response, 200, { jsonrpc: "2.0", id, ...("error" in result ? result : { result }) });
  };
}

test("an agent is added, checked and listed; its texts can't move the cursor", async () => {
  const zone = await startFakeZone({
    ...lists,
    "POST /agents": (response) => answerWith(response, 201, counter),
    "POST /agents/counter/health": health,
    "GET /agents/counter": counter,
    "DELETE /agents/counter": (response) => void response.writeHead(204).end(),
  });
  const added = await runCli(zone.url, ["agents", "add", "counter", counter.url, "--timeout", "2m"]).done;
  expect(added).toMatchObject({ code: 0, err: "" });
  expect(added.out).toMatch(/^Added counter\.\nIt is healthy \(7 ms\)\.\nCard: Word counter, A2A 1\.0\nAsk it: /);
  const [asked] = zone.requestsFor("POST /agents");
  expect(asked?.body).toEqual({ name: "counter", url: counter.url, timeout_ms: 120_000 });
  const { out } = await runCli(zone.url, ["agents"]).done;
  expect(out).toMatch(
    /^AGENT +PROTOCOL +STATE +CIRCUIT +WAITING +LAST FAILURE +URL\ncounter +auto +on +0 +http:\S+\n$/,
  );
  expect((await runCli(zone.url, ["agents", "show", "counter"]).done).out).toContain("Counts\\u001b[2J");
  expect(JSON.parse((await runCli(zone.url, ["agents", "show", "counter", "--json"]).done).out)).toEqual(counter);
  expect(await runCli(zone.url, ["agents", "remove", "counter"]).done).toMatchObject({ out: "Removed counter.\n" });
});

test("agents add exits with 1 for an agent that does not answer, and does not invite anyone to ask it", async () => {
  const zone = await startFakeZone({
    "POST /agents": (response) => answerWith(response, 201, counter),
    "POST /agents/counter/health": { ...health, status: "unhealthy" },
  });
  const { code, out, err } = await runCli(zone.url, ["agents", "add", "counter", counter.url]).done;
  expect([code, out.includes("Ask it")]).toEqual([1, false]);
  expect(err).toBe("It does not answer. Fix it, then: crosszone agents test counter\n");
});

test("agents add asks what the card offers, and Hello without a card: an answer from nowhere does not count as one", async () => {
  const added = async (seen: object, tested: object, ...options: string[]) => {
    const zone = await startFakeZone({
      "POST /agents": (response, { body }) => answerWith(response, 201, { ...counter, ...(body as object) }),
      "POST /agents/counter/health": { ...health, ...seen },
      "POST /agent-tests": { health, exchanges: [], duration_ms: 9, ...tested },
    });
    const told = await runCli(zone.url, ["agents", "add", "counter", counter.url, ...options]).done;
    return { ...told, asked: zone.requestsFor("POST /agent-tests").map(({ body }) => (body as { text: string }).text) };
  };
  const withExample = { card: { ...card, skills: [{ examples: ["How many words?"] }] } };
  const answered = { status: "answered", output: { text: "5 words" } };
  const shown = await added(withExample, answered);
  expect(shown).toMatchObject({ code: 0, err: "", asked: ["How many words?"] });
  expect(shown.out).toMatch(/Question: How many words\?\nAnswer: 5 words\nAsk it: /);
  const asksBack = {
    status: "failed",
    failure: { kind: "input_required", message: "It asks: Which?", retryable: false },
  };
  expect(await added(withExample, asksBack)).toMatchObject({ code: 0, err: "" });

  const noCard = { status: "reachable", card: null };
  const failed = { status: "failed", failure: { kind: "http_error", message: "HTTP 404", retryable: false } };
  const missing = await added(noCard, failed);
  expect(missing).toMatchObject({ code: 1, asked: ["Hello"] });
  expect(missing.err).toBe("No answer: HTTP 404\nIt does not answer. Fix it, then: crosszone agents test counter\n");
  expect(missing.out).not.toContain("Ask it");
  const json = await added(noCard, failed, "--json");
  expect(JSON.parse(json.out)).toMatchObject({ name: "counter", health: noCard, test: failed });

  expect(await added(withExample, answered, "--side-effects", "yes")).toMatchObject({ code: 0, asked: [] });
  expect(await added(withExample, answered, "--no-question")).toMatchObject({ code: 0, asked: [] });
});

test("agents add suggests a slug for a name with spaces, and agents set for a name that is taken", async () => {
  const zone = await startFakeZone({
    "POST /agents": (response) => problem(response, { kind: "name-taken", status: 409 }),
  });
  const spaced = await runCli(zone.url, ["agents", "add", "Bad Name", counter.url]).done;
  expect(spaced).toMatchObject({ code: 2, err: expect.stringContaining("Try: bad-name") as string });
  const taken = await runCli(zone.url, ["agents", "add", "counter", counter.url]).done;
  expect(taken.err).toContain("Change it with: crosszone agents set counter");
});

test("agents set changes only the settings that it names", async () => {
  const zone = await startFakeZone({ "PATCH /agents/counter": counter });
  const options = ["--url", "http://127.0.0.1:8091", "--timeout", "2m", "--side-effects", "yes"];
  const { code, out } = await runCli(zone.url, ["agents", "set", "counter", ...options]).done;
  expect([code, out.split("\n", 1)[0]]).toEqual([0, "Changed counter."]);
  const [asked] = zone.requestsFor("PATCH /agents/counter");
  expect(asked?.body).toEqual({ url: "http://127.0.0.1:8091", timeout_ms: 120_000, side_effects: true });
});

test("a URL without a scheme and a misspelled name are reported with what to do", async () => {
  const zone = await startFakeZone({
    ...lists,
    "GET /agents/countr": (response) => problem(response, { kind: "agent-not-found", status: 404 }),
  });
  expect(await runCli(zone.url, ["agents", "add", "a", "localhost:8090"]).done).toMatchObject({
    code: 2,
    err: expect.stringContaining('<url> must start with http:// or https://, got "localhost:8090".') as string,
  });
  expect(await runCli(zone.url, ["agents", "show", "countr"]).done).toEqual({
    code: 3,
    out: "",
    err: 'No agent is called "countr". Did you mean counter?\n',
  });
});

test("a question is sent over the zone link and followed to its answer, with the agent's progress", async () => {
  const zone = await startFakeZone({
    "POST /rpc": answerRpc({
      execute_task: { status: "accepted", task_id: "t1" },
      get_async_task_result: { status: "success", task_id: "t1", response_text: "5 words", agent: "counter" },
    }),
  });
  const told = await runCli(zone.url, ["ask", "counter", "How many?", "--context", "c1"]).done;
  expect(told).toEqual({ code: 0, out: "5 words\n", err: "" });
  const [begun, polled] = zone.requestsFor("POST /rpc");
  expect(begun?.body).toMatchObject({
    method: "execute_task",
    params: { agent: "counter", text: "How many?", context_id: "c1" },
  });
  expect(polled?.body).toMatchObject({ method: "get_async_task_result", params: { task_id: "t1" } });
});

const exchange = {
  at: "2026-03-02T09:15:00.250Z",
  operation: "send",
  protocol: "a2a-1.0",
  duration_ms: 7,
  request: { method: "SendMessage" },
  status: 200,
  response: { result: {} },
};

test("agents test shows the card, the question, the exchange and the answer", async () => {
  const found = { status: "answered", health, exchanges: [exchange], output: { text: "5 words" }, duration_ms: 9 };
  const zone = await startFakeZone({ "POST /agent-tests": found });
  const told = await runCli(zone.url, ["agents", "test", "counter", "--ask", "How many?"]).done;
  expect(told).toMatchObject({ code: 0, err: "" });
  expect(told.out).toContain(
    [
      "Card: Word counter, A2A 1.0",
      "Question: How many?",
      "",
      "> send (a2a-1.0)",
      '  {"method":"SendMessage"}',
      "< HTTP 200 (7 ms)",
      '  {"result":{}}',
      "",
      "Answer: 5 words\n",
    ].join("\n"),
  );
  await runCli(zone.url, ["agents", "test", "http://127.0.0.1:8090"]).done;
  const bodies = zone.requestsFor("POST /agent-tests").map(({ body }) => body);
  expect(bodies).toEqual([
    { agent: "counter", text: "How many?" },
    { url: "http://127.0.0.1:8090", text: "Hello" },
  ]);
});

test("ambiguous command lines are refused before any request", async () => {
  const zone = await startFakeZone({});
  const errors = async (...argv: string[]): Promise<unknown> => (await runCli(zone.url, ["agents", ...argv]).done).err;
  expect(await errors("migrate")).toContain("--to is missing");
  expect(await errors("migrate", "a", "--to", "a2a-1.0", "--default")).toContain("--default can't be combined");
  expect(await errors("rollback")).toContain("Name one agent, or write --all");
  expect(await errors("rollback", "a", "--all")).toContain("Name one agent, or write --all");
  expect(zone.requests).toEqual([]);
});

test("K2: an agent is shown with what a rollback restores, and rolled back", async () => {
  const previous = { protocol: "auto", protocol_config: {}, url: "http://10.0.0.1/", at: "2026-11-20T06:00:00Z" };
  const agent = { ...counter, name: "a", protocol: "simple-a2a", previous };
  const zone = await startFakeZone({
    "GET /agents/a": agent,
    "POST /agents/a/rollback": agent,
  });
  const shown = await runCli(zone.url, ["agents", "show", "a"]).done;
  expect(shown.out).toContain("before       auto at http://10.0.0.1/, until 2026-11-20T06:00:00Z\n");
  const back = await runCli(zone.url, ["agents", "rollback", "a"]).done;
  expect(back.out).toBe("a is back to simple-a2a at http://127.0.0.1:8090.\n");
});

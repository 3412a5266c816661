import { setTimeout as delay } from "node:timers/promises";
import { isConformanceReport } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import { a2aChecks, allSimpleChecks } from "./checklist.ts";
import { checkConformance, type ConformanceOptions } from "./index.ts";
import { agentUrl, createGoodAgent, createSimpleFixture } from "./testing/good-agent.ts";
import { serveFixture } from "./testing/index.ts";
import { knownBad, failedIds } from "./testing/known-bad.ts";

const questions = { asksBack: "ask", file: "file", fails: "fail" };

test.each([
  ["a2a-1.0", createGoodAgent({ versions: ["1.0"] })],
  ["jsonrpc-2.0", createGoodAgent({ versions: ["0.3"] })],
  ["simple-a2a", createSimpleFixture()],
])("K1: a compliant agent of %s passes, and its protocol is detected", async (protocol, fetch) => {
  const onCheck = vi.fn<NonNullable<ConformanceOptions["onCheck"]>>();
  const report = await checkConformance({ url: agentUrl, fetch, questions, onCheck });
  expect(report).toMatchObject({ protocols: [protocol], compliant: true, summary: { failed: 0, warned: 0 } });
  expect(onCheck).toHaveBeenCalledTimes(report.checks.length);
  expect(isConformanceReport(report)).toBe(true);
});

test.each([
  ["a URL and an empty protocolVersion", { url: agentUrl, protocolVersion: "" }, ["jsonrpc-2.0"]],
  [
    "an interface without a version as well as the members of 0.3",
    { supportedInterfaces: [{ url: agentUrl, protocolBinding: "JSONRPC" }], url: agentUrl, protocolVersion: "0.3.0" },
    ["a2a-1.0", "jsonrpc-2.0"],
  ],
])("I10: an agent whose card has %s is checked in the versions in which it is asked", async (_, members, protocols) => {
  const card = ({
    supportedInterfaces: _1,
    url: _2,
    protocolVersion: _3,
    ...others
  }: object & Record<string, unknown>) => ({ ...others, ...members });
  const report = await checkConformance({ url: agentUrl, fetch: createGoodAgent({ card }), questions });
  expect(report.protocols).toEqual(protocols);
  expect(report.summary.passed).toBeGreaterThan(40);
});

test("K1: an unreachable agent speaks no protocol", async () => {
  const reject = async (): Promise<never> => {
    throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") });
  };
  const report = await checkConformance({ url: "http://127.0.0.1:1", fetch: reject });
  expect(report).toMatchObject({ protocols: [], compliant: false, summary: { failed: 1 } });
  expect(report.checks[0]?.problem).toContain("ECONNREFUSED");
});

test("K1: a server that drops kept connections gets the verdicts of its agent", async () => {
  const url = await serveFixture((own) => createGoodAgent({}, own), { drops: true });
  const report = await checkConformance({ url, fetch, questions });
  expect(report).toMatchObject({ compliant: true, summary: { failed: 0 } });
  expect(report.checks.filter(({ problem }) => problem !== undefined && /socket|closed/.test(problem))).toEqual([]);
});

test("K1: an agent that hangs ends at the time limit, and skipped checks are named", async () => {
  const good = createGoodAgent({ versions: ["1.0"] });
  const hang: typeof globalThis.fetch = (input, init) =>
    init?.method === "POST" ? new Promise(() => {}) : good(input, init);
  const report = await checkConformance({ url: agentUrl, fetch: hang, timeoutMs: 300 });
  expect(report.compliant).toBe(false);
  expect(report.checks).toHaveLength(a2aChecks.filter(({ source }) => source["a2a-1.0"] !== undefined).length);
  expect(report.checks.find(({ id }) => id === "get-task")).toMatchObject({ status: "skipped" });
});

test("K1: an agent that is too slow for all checks does not comply, even if none failed", async () => {
  const good = createGoodAgent({ versions: ["1.0"] });
  const slow: typeof globalThis.fetch = async (input, init) => {
    if (init?.method === "POST") await delay(200);
    return good(input, init);
  };
  const report = await checkConformance({ url: agentUrl, fetch: slow, timeoutMs: 2_000 });
  expect(report).toMatchObject({ compliant: false, summary: { failed: 0 } });
  expect(report.summary.passed).toBeGreaterThan(0);
});

test("K1: rate-limited exchanges are not judged, unless nothing is answered", async () => {
  const good = createGoodAgent({ versions: ["1.0"] });
  const limited =
    (free: number): typeof globalThis.fetch =>
    async (input, init) =>
      init?.method === "POST" && free-- <= 0 ? new Response("slow down", { status: 429 }) : good(input, init);
  const [some, none] = await Promise.all(
    [12, 0].map((free) => checkConformance({ url: agentUrl, fetch: limited(free), protocols: ["a2a-1.0"] })),
  );
  expect(some).toMatchObject({ compliant: true, summary: { failed: 0 } });
  expect(some?.checks.some(({ problem }) => problem?.includes("HTTP 429"))).toBe(true);
  expect(none).toMatchObject({ compliant: false, summary: { failed: 1 } });
});

test("K1: the caller can end the run", async () => {
  const stop = new AbortController();
  const run = checkConformance({ url: agentUrl, fetch: () => new Promise(() => {}), signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(run).rejects.toThrow("enough");
});

test("R10.3: the checklist has at least 80 rules with sources and fixes, each after the rules it needs", () => {
  const all = [...a2aChecks, ...allSimpleChecks];
  const ids = all.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(80);
  for (const [index, { needs = [], explainedBy = [], level, source, fix, rule, title }] of all.entries()) {
    expect(ids.slice(0, index)).toEqual(expect.arrayContaining([...needs, ...explainedBy]));
    for (const url of Object.values(source)) expect(url).toMatch(/^https:\/\//);
    // What only our own page says is no verdict of A2A.
    const isOurs = source["jsonrpc-2.0"]?.includes("/docs/agents.md") === true;
    expect(isOurs ? level : "hint").toBe("hint");
    for (const sentence of [fix, rule]) expect(sentence).toMatch(/[.!}]$/);
    expect(title).not.toMatch(/\.$/);
  }
});

const options = { url: agentUrl, questions };

test.concurrent.each(knownBad.filter(({ slow }) => !slow))(
  "R10.3, J2, J3, J4, J8, J9: a known-bad agent fails exactly its defects: $name",
  async ({ deviation, fails }) => {
    const report = await checkConformance({ ...options, fetch: createGoodAgent(deviation) });
    expect(failedIds(report)).toEqual(fails);
  },
);

test.concurrent.each<[name: string, check: string, change: Parameters<typeof createSimpleFixture>[0]]>([
  [
    "completed as a status",
    "simple-status",
    (response) => (response["status"] === "success" ? { ...response, status: "completed" } : response),
  ],
  [
    "HTTP 500 for a failed task",
    "simple-failure",
    (response) => (response["status"] === "error" ? Response.json(response, { status: 500 }) : response),
  ],
  ["a task_id of its own", "simple-task-id", (response) => ({ ...response, task_id: "1" })],
  [
    "the answer outside of output",
    "simple-output",
    ({ output: _output, ...response }) => ({ ...response, answer: "One two three." }),
  ],
])("R10.3: a known-bad agent of Simple A2A: %s", async (_name, check, change) => {
  const report = await checkConformance({ ...options, protocols: ["simple-a2a"], fetch: createSimpleFixture(change) });
  expect(failedIds(report)).toEqual([check]);
});

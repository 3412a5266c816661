// suite: rest
// inputs: tools/conformance/** packages/contracts/** packages/jsonrpc/**
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkConformance } from "./index.ts";
import { agentUrl, createGoodAgent, type Deviation } from "./testing/good-agent.ts";
import { failedIds, knownBad } from "./testing/known-bad.ts";

const questions = { slow: "slow", asksBack: "ask", file: "file", fails: "fail" };
const options = { url: agentUrl, questions };

test.concurrent.each(knownBad.filter(({ slow }) => slow))(
  "R10.3: a known-bad agent fails exactly its defects: $name",
  async ({ deviation, fails }) => {
    const report = await checkConformance({ ...options, fetch: createGoodAgent(deviation) });
    expect(failedIds(report)).toEqual(fails);
  },
);

/** The body of a request when it has the slow question, otherwise undefined. */
const slowBody = (init: RequestInit | undefined): string | undefined =>
  typeof init?.body === "string" && init.body.includes("slow") ? init.body : undefined;

/** Begins with a slow question some time after the one before, with a stream last. */
function oneByOne(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let before: Promise<void> = Promise.resolve();
  return async (input, init) => {
    const body = slowBody(init);
    if (body === undefined) return fetch(input, init);
    if (body.includes("SendStreamingMessage")) await pause(50);
    const turn = before;
    before = turn.then(() => pause(1_000));
    await turn;
    return fetch(input, init);
  };
}

test("K1: an agent that answers one question after the other streams at once when it has only one", async () => {
  const report = await checkConformance({ ...options, fetch: oneByOne(createGoodAgent({ versions: ["1.0"] })) });
  expect(failedIds(report)).toEqual([]);
});

test("K1: an agent on a busy machine, late with all that it does, streams at once", async () => {
  const good = createGoodAgent({ versions: ["1.0"] });
  const late: typeof globalThis.fetch = async (input, init) => {
    if (slowBody(init) !== undefined) await pause(1_600);
    return good(input, init);
  };
  expect(failedIds(await checkConformance({ ...options, fetch: late }))).toEqual([]);
});

test("K1: an agent that rejects a question beside another is judged on its stream when it has only one", async () => {
  const http: Deviation["http"] = async (response) => new Response(await response.text(), response);
  const inOnePiece = createGoodAgent({ versions: ["1.0"], http });
  let [rejections, busyUntil] = [0, 0];
  const rejecting: typeof globalThis.fetch = async (input, init) => {
    const body = slowBody(init);
    if (body?.includes("SendStreamingMessage") && Date.now() < busyUntil) {
      rejections += 1;
      const { id } = JSON.parse(body) as { readonly id: string };
      const error = { jsonrpc: "2.0", id, error: { code: -32603, message: "Already running." } };
      return new Response(`data: ${JSON.stringify(error)}\n\n`, { headers: { "content-type": "text/event-stream" } });
    }
    if (body !== undefined) busyUntil = Date.now() + 3_000;
    return inOnePiece(input, init);
  };
  expect(failedIds(await checkConformance({ ...options, fetch: rejecting }))).toEqual(["stream-at-once"]);
  expect(rejections).toBeGreaterThan(0);
});

test("K1: an agent that complies with both versions passes every check, including the slow ones", async () => {
  const report = await checkConformance({ ...options, fetch: createGoodAgent() });
  expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
  const skipped = report.checks.filter(({ status }) => status === "skipped").map(({ id }) => id);
  const optional = ["card-security", "streaming-off", "push-on", "extension-required", "extended-card-on"];
  expect([...new Set(skipped)].toSorted()).toEqual([...optional, "stream-one-message"].toSorted());
});

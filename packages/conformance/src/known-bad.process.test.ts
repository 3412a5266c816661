import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkConformance } from "./index.ts";
import { agentUrl, createGoodAgent } from "./testing/good-agent.ts";
import { failedIds } from "./testing/deviations.ts";
import { knownBad } from "./testing/bad-behavior.ts";

const questions = { slow: "slow", asksBack: "ask", file: "file", fails: "fail" };
const options = { url: agentUrl, questions };

test.concurrent.each(knownBad.filter(({ slow }) => slow))(
  "R10.3: a known-bad agent fails exactly its defects: $name",
  async ({ deviation, fails }) => {
    const report = await checkConformance({ ...options, fetch: createGoodAgent(deviation) });
    expect(failedIds(report)).toEqual(fails);
  },
);

/** Begins with a slow question some time after the one before, with a stream last. */
function oneByOne(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let before: Promise<void> = Promise.resolve();
  return async (input, init) => {
    const body = typeof init?.body === "string" ? init.body : "";
    if (!body.includes("slow")) return fetch(input, init);
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

test("K1: an agent that complies with both versions passes every check, including the slow ones", async () => {
  const report = await checkConformance({ ...options, fetch: createGoodAgent() });
  expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
  const skipped = report.checks.filter(({ status }) => status === "skipped").map(({ id }) => id);
  const optional = ["card-security", "streaming-off", "push-on", "extension-required", "extended-card-on"];
  expect([...new Set(skipped)].toSorted()).toEqual([...optional, "stream-one-message"].toSorted());
});

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

test("K1: an agent that complies with both versions passes every check, including the slow ones", async () => {
  const report = await checkConformance({ ...options, fetch: createGoodAgent() });
  expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
  const skipped = report.checks.filter(({ status }) => status === "skipped").map(({ id }) => id);
  const optional = ["card-security", "streaming-off", "push-on", "extension-required", "extended-card-on"];
  expect([...new Set(skipped)].toSorted()).toEqual([...optional, "stream-one-message"].toSorted());
});

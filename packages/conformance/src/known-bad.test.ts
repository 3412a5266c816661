import { expect, test } from "vitest";
import { checkConformance } from "./index.ts";
import { agentUrl, createGoodAgent } from "./testing/good-agent.ts";
import { badSimple, createSimpleFixture } from "./testing/good-simple-agent.ts";
import { knownBad } from "./testing/bad-behavior.ts";
import { failedIds } from "./testing/deviations.ts";

const questions = { asksBack: "ask", file: "file", fails: "fail" };
const options = { url: agentUrl, questions };

test.concurrent.each(knownBad.filter(({ slow }) => !slow))(
  "R10.3: a known-bad agent fails exactly its defects: $name",
  async ({ deviation, fails }) => {
    const report = await checkConformance({ ...options, fetch: createGoodAgent(deviation) });
    expect(failedIds(report)).toEqual(fails);
  },
);

test.concurrent.each(badSimple)("R10.3: a known-bad agent of Simple A2A: $name", async ({ change, fails }) => {
  const report = await checkConformance({ ...options, protocols: ["simple-a2a"], fetch: createSimpleFixture(change) });
  expect(failedIds(report)).toEqual(fails);
});

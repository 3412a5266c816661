import { expect, test } from "vitest";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import type { Judgement } from "./cassette.ts";
import { judge } from "./judge.ts";

const answer: AgentAnswer = { state: "completed", text: "Refunds take 14 days.", data: [{ days: 14 }], files: [] };
const schema = { type: "object", required: ["days"], properties: { days: { type: "integer" } } };

test.each<[Judgement, Judgement, string]>([
  [{ exact: answer.text }, { exact: "Refunds take 10 days." }, "- Refunds take 10 days.\n+ Refunds take 14 days."],
  [{ exact: { days: 14 } }, { exact: [{ days: 10 }] }, '-     "days": 10\n+     "days": 14'],
  [{ contains: ["14", "days"] }, { contains: ["14", "weeks"] }, "does not contain: weeks"],
  [{ matches: "\\d+ days" }, { matches: "^\\d+ days" }, "does not match: ^\\d+ days"],
  [{ schema }, { schema: { ...schema, required: ["weeks"] } }, "must have required property 'weeks'"],
  [{ state: "completed" }, { state: "input-required" }, "state is completed, expected input-required"],
])("%o holds, and %o explains why it does not", async (holds, fails, why) => {
  expect(await judge(answer, holds, undefined)).toEqual({ outcome: "held", lines: [] });
  const { outcome, lines } = await judge(answer, fails, undefined);
  expect([outcome, lines.join("\n")]).toEqual(["failed", expect.stringContaining(why)]);
});

test("an answer without data is read as JSON for a schema", async () => {
  const text = JSON.stringify({ days: 1 });
  expect(await judge({ ...answer, text, data: [] }, { schema }, undefined)).toMatchObject({ outcome: "held" });
  expect(await judge({ ...answer, data: [] }, { schema }, undefined)).toMatchObject({ outcome: "failed" });
});

test("an expression that takes too long is stopped and reported", async () => {
  const text = `${"a".repeat(60)}!`;
  const { outcome, lines } = await judge({ ...answer, text }, { matches: "^(a+)+$" }, undefined);
  expect([outcome, lines]).toEqual(["failed", [expect.stringContaining("takes longer than 500 ms: ^(a+)+$")]]);
});

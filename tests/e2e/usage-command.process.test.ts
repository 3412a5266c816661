import { createBuiltinAgent } from "@crosszone/builtin-agent";
import { expect, test } from "vitest";
import { shownText, tasksStarted, typeCommand } from "../harness/slack-actions.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

test("U3, S21: /usage shows its author alone their usage and the budgets", async () => {
  const BUDGETS = "person/day=5usd, team/month=2000000tokens";
  const zones = await startCrosszone({ agents: [createBuiltinAgent()], env: { BUDGETS } });
  const { run, said } = await typeCommand(zones.slack, { text: "/usage", channel: "general" });
  expect(run.status).toBe(200);
  const answer = await said();
  expect(answer).toMatchObject({ channel: "C0GENERAL01", ephemeral_for: "U0ALICE0001" });
  const text = shownText(answer);
  expect(text).toContain("**Today:** nothing");
  expect(text).toContain("**You, each day:** $5.00, 0% used, $5.00 left. Resets on ");
  expect(text).toContain("**Your team, each month:** 2,000,000 tokens, shared with others.");
  expect(tasksStarted(zones)).toBe(0);
  const asked = zones.log.filter(({ zone, operation }) => zone === "execution" && operation === "get_usage");
  expect(asked).toHaveLength(1);
});

test("S9, S10, S21: people who may not ask questions don't see usage", async () => {
  const zones = await startCrosszone();
  const { run } = await typeCommand(zones.slack, { text: "/usage", user: "stranger" });
  expect(run.status).toBe(200);
  await expect
    .poll(() => zones.log.some(({ event, verdict }) => event === "command_ended" && verdict === "denied"))
    .toBe(true);
  expect(zones.log.filter(({ operation }) => operation === "get_usage")).toEqual([]);
});

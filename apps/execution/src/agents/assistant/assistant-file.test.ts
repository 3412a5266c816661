import { describe, expect, test } from "vitest";
import { parseBudget } from "../../usage/budget.ts";
import { mistakesIn, sectionIn } from "@crosszone/service-kit/testing";
import { assistantRow, modelJudge, settingsFor } from "./assistant-settings.ts";

const key = { ANTHROPIC_API_KEY: "k" };
const rowOf = (config = {}) => assistantRow(modelJudge({ ...key, ...config }));
const parse = (assistant: unknown, config = {}) => sectionIn("assistant", rowOf(config), JSON.stringify({ assistant }));
const wrongIn = async (assistant: unknown, config = {}) =>
  (await mistakesIn("assistant", rowOf(config), JSON.stringify({ assistant }))).join("; ");

const file = () =>
  parse({
    instructions: "all",
    channels: {
      C1: { model: "anthropic/c1", instructions: "c1" },
      dm: { instructions: "dm" },
      D2: { instructions: "d2" },
      C3: { model: "anthropic/c3" },
    },
    teams: { T1: { instructions: "t1", channels: { C1: { instructions: "t1 c1" } } }, T2: { model: "anthropic/t2" } },
  });

test.each<[string, { channel?: string; team_id?: string }, string | undefined, string]>([
  ["a channel without an entry", { channel: "C9" }, undefined, "all"],
  ["no channel", {}, undefined, "all"],
  ["a channel", { channel: "C1" }, "anthropic/c1", "c1"],
  ["a channel of a team with one of the settings", { channel: "C1", team_id: "T1" }, "anthropic/c1", "t1 c1"],
  ["a team", { channel: "C9", team_id: "T1" }, undefined, "t1"],
  ["a channel before its team", { channel: "C3", team_id: "T2" }, "anthropic/c3", "all"],
  ["a team's model", { channel: "C9", team_id: "T2" }, "anthropic/t2", "all"],
  ["a direct message", { channel: "D1" }, undefined, "dm"],
  ["one direct message", { channel: "D2" }, undefined, "d2"],
  ["a name that JavaScript reserves", { channel: "constructor", team_id: "__proto__" }, undefined, "all"],
])("the most specific setting wins: %s", async (...[, task, model, instructions]) => {
  expect(settingsFor(await file(), task)).toEqual({ model, instructions });
});

describe("an invalid file is reported with the location of each error, and never with its contents:", () => {
  const withModel = (model: string) => ({ channels: { C1: { model } } });
  test.each<[string, unknown, object, string]>([
    [
      "O23: an unknown member",
      { instruction: "planted" },
      {},
      "/instruction is not a known member. Did you mean instructions?",
    ],
    [
      "a channel name",
      { channels: { general: {} } },
      {},
      "/channels/general is not a conversation id, which starts with C",
    ],
    ["not a team id", { teams: { C1: {} } }, {}, "/teams/C1 is not a team id, which starts with T"],
    ["empty instructions", { channels: { C1: { instructions: "" } } }, {}, "/channels/C1/instructions is empty"],
    ["long instructions", { instructions: "planted".repeat(2_000) }, {}, "/instructions must NOT have more than 8000"],
    [
      "no provider",
      withModel("planted"),
      {},
      "/assistant/channels/C1/model it doesn't start with a known provider; expected anthropic/",
    ],
    [
      "no key",
      withModel("openai/planted"),
      {},
      "/assistant/channels/C1/model it needs OPENAI_API_KEY, which is not set",
    ],
    [
      "no region",
      { teams: { T1: withModel("bedrock/x") } },
      {},
      "/assistant/teams/T1/channels/C1/model it needs AWS_REGION",
    ],
    ["none", { teams: { T1: { model: "none" } } }, {}, "/assistant/teams/T1/model it doesn't name a model; remove it"],
    [
      "no price",
      withModel("anthropic/planted"),
      { BUDGETS: [parseBudget("team/day=5usd")] },
      "/assistant/channels/C1/model it has no known price, which budgets in usd need; use budgets in tokens",
    ],
  ])("%s", async (...[, wrong, config, expected]) => {
    const problem = await wrongIn(wrong, config);
    expect(problem).toContain(expected);
    expect(problem).not.toContain("planted");
  });

  test("several errors at once", async () => {
    const wrong = { channels: { C1: { model: "openai/a" }, C2: { model: "mistral/b" } } };
    expect(await wrongIn(wrong)).toMatch(/\/channels\/C1\/model .*\/channels\/C2\/model /);
  });

  test("and a model with a price within budgets in dollars has no errors", async () => {
    const BUDGETS = [parseBudget("team/day=5usd")];
    expect(await wrongIn(withModel("anthropic/claude-haiku-4-5"), { BUDGETS })).toBe("");
  });
});

import { describe, expect, test } from "vitest";
import { parseBudget } from "../../usage/budget.ts";
import { modelJudge, parseAssistantFile, settingsFor } from "./assistant-settings.ts";

const key = { ANTHROPIC_API_KEY: "k" };
const parse = (file: unknown, config = {}) =>
  parseAssistantFile(typeof file === "string" ? file : JSON.stringify(file), modelJudge({ ...key, ...config }));

const file = parse({
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
])("the most specific setting wins: %s", (...[, task, model, instructions]) => {
  expect(settingsFor(file, task)).toEqual({ model, instructions });
});

describe("an invalid file is reported with the location of each error, and never with its contents:", () => {
  const withModel = (model: string) => ({ channels: { C1: { model } } });
  test.each<[string, unknown, object, string]>([
    ["not JSON", "{", {}, "it is not JSON"],
    ["O23: an unknown member", { instruction: "planted" }, {}, 'key: "instruction" (did you mean "instructions"?)'],
    [
      "a channel name",
      { channels: { general: {} } },
      {},
      "at /channels/general: it is not a conversation id (C…, G…, D…), or dm",
    ],
    ["not a team id", { teams: { C1: {} } }, {}, "at /teams/C1: it is not a team id (T…)"],
    ["empty instructions", { channels: { C1: { instructions: " " } } }, {}, "at /channels/C1/instructions: Too small"],
    ["long instructions", { instructions: "planted".repeat(2_000) }, {}, "at /instructions: Too big"],
    [
      "no provider",
      withModel("planted"),
      {},
      "at /channels/C1/model: it doesn't start with a known provider; expected anthropic/",
    ],
    ["no key", withModel("openai/planted"), {}, "at /channels/C1/model: it needs OPENAI_API_KEY, which is not set"],
    ["no region", { teams: { T1: withModel("bedrock/x") } }, {}, "at /teams/T1/channels/C1/model: it needs AWS_REGION"],
    ["none", { teams: { T1: { model: "none" } } }, {}, "at /teams/T1/model: it doesn't name a model; remove it"],
    [
      "no price",
      withModel("anthropic/planted"),
      { BUDGETS: [parseBudget("team/day=5usd")] },
      "at /channels/C1/model: it has no known price, which budgets in usd need; use budgets in tokens",
    ],
  ])("%s", (...[, wrong, config, expected]) => {
    const problem = (): unknown => parse(wrong, config);
    expect(problem).toThrow(expected);
    expect(problem).not.toThrow("planted");
  });

  test("several errors at once", () => {
    const wrong = { channels: { C1: { model: "openai/a" }, C2: { model: "mistral/b" } } };
    expect(() => parse(wrong)).toThrow(/^at \/channels\/C1\/model: .*; at \/channels\/C2\/model: /);
  });

  test("and a model with a price within budgets in dollars has no errors", () => {
    const BUDGETS = [parseBudget("team/day=5usd")];
    expect(parse(withModel("anthropic/claude-haiku-4-5"), { BUDGETS }).channels["C1"]?.model).toBeDefined();
  });
});

import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../../workspace/seed-workspace.ts";
import { composeText, mentionCandidates, mentionName, mentionQuery } from "./names.ts";

const { users, app } = seedWorkspace();
const bot = app.bot_user_id;

describe("composeText", () => {
  it.each([
    ["@Crosszone hi", `<@${bot}> hi`],
    ["ask @crosszone, please", `ask <@${bot}>, please`],
    ["@alice @BOB.", "<@U0ALICE0001> <@U0BOB000001>."],
    ["@here lunch", "<!here> lunch"],
    ["mail me@crosszone.example", "mail me@crosszone.example"],
    ["@nobody @alicex @", "@nobody @alicex @"],
    ["a < b & c", "a < b & c"],
  ])("%j becomes %j", (typed, text) => {
    expect(composeText(typed, users)).toBe(text);
  });
});

describe("mention completion", () => {
  it.each([
    ["@", 1, { start: 0, word: "" }],
    ["hi @Cro", 7, { start: 3, word: "Cro" }],
    ["hi @Cro and", 7, { start: 3, word: "Cro" }],
    ["a@b", 3, undefined],
    ["@x y", 4, undefined],
  ])("in %j at %d it is %j", (text, caret, query) => {
    expect(mentionQuery(text, caret)).toEqual(query);
  });

  it("offers the app first, then people, without the deactivated", () => {
    const names = mentionCandidates("", users, bot).map(mentionName);
    expect(names[0]).toBe("Crosszone");
    expect(names).toHaveLength(5);
    expect(mentionCandidates("dana", users, bot)).toEqual([]);
    expect(mentionCandidates("cart", users, bot).map(mentionName)).toEqual(["bob"]);
  });

  it("writes names that composeText understands", () => {
    for (const user of users) expect(composeText(`@${mentionName(user)} `, users)).toBe(`<@${user.id}> `);
  });
});

import { expect, test } from "vitest";
import { mentionedUsers, messageText } from "./message-text.ts";

test.each([
  ["<@UBOT> what is this?", "what is this?"],
  ["<@UBOT|crosszone>: what is this?", "what is this?"],
  ["  <@UBOT>, hello", "hello"],
  ["hello <@UBOT>", "hello"],
  ["<@U2> and <@UBOT> hi", "<@U2> and  hi"],
  ["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
  ["see <https://x.com/?a=1&amp;b=2>", "see https://x.com/?a=1&b=2"],
  ["see <https://x.com|x.com>", "see https://x.com"],
  ["see <https://x.com|the page>", "see the page (https://x.com)"],
  ["<mailto:a@b.de|a@b.de>", "a@b.de"],
  ["in <#C1|general> and <#C2>", "in #general and #C2"],
  ["<!here> <!subteam^S1|@ops> <!date^1^{date}|today>", "@here @ops today"],
  ["<@UBOT>", ""],
])("%s is read as “%s”", (text, read) => {
  expect(messageText(text, "UBOT")).toBe(read);
});

test("the people mentioned in a text are found in order", () => {
  expect(mentionedUsers("<@U2> <@W3|w> &lt;@U4&gt; <#C1>")).toEqual(["U2", "W3"]);
});

import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { richTextBlock, textFromPerson, unescapeText } from "./slack-text.ts";

const app = { name: "Crosszone", bot_user_id: "U0CROSSZONE" };

test.each([
  ["a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"],
  ["@crosszone help", "<@U0CROSSZONE> help"],
  ["tell @Crosszone", "tell @Crosszone"],
  ["<@U0BOB000001> and <#C0GENERAL01|general> <!here>", "<@U0BOB000001> and <#C0GENERAL01|general> <!here>"],
  ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  ["see https://example.com/a?b=1&c=2.", "see <https://example.com/a?b=1&amp;c=2>."],
  ["<https://example.com|a link>", "<https://example.com|a link>"],
  ["already &lt;escaped&gt; &amp; fine", "already &lt;escaped&gt; &amp; fine"],
  ["(https://example.com)", "(<https://example.com>)"],
])("%j becomes %j", (typed, text) => {
  expect(textFromPerson(typed, app)).toBe(text);
});

test("a rich_text block has people, channels, broadcasts and links as elements", () => {
  const text =
    "hi <@U0BOB000001> in <#C0GENERAL01|general>, <!here>: <https://a.example/?x=1&amp;y|a &amp; b> &lt;ok&gt;";
  expect(richTextBlock(text, "b1")).toEqual({
    type: "rich_text",
    block_id: "b1",
    elements: [
      {
        type: "rich_text_section",
        elements: [
          { type: "text", text: "hi " },
          { type: "user", user_id: "U0BOB000001" },
          { type: "text", text: " in " },
          { type: "channel", channel_id: "C0GENERAL01" },
          { type: "text", text: ", " },
          { type: "broadcast", range: "here" },
          { type: "text", text: ": " },
          { type: "link", url: "https://a.example/?x=1&y", text: "a & b" },
          { type: "text", text: " <ok>" },
        ],
      },
    ],
  });
});

test("text of any kind reads the same after Slack has stored it, and storing it twice changes nothing", () => {
  const typed = string({ unit: "grapheme" }).filter((text) => !/https?:|&(amp|lt|gt);|<[@#!]|^@crosszone/i.test(text));
  assert(
    property(typed, (text) => {
      const stored = textFromPerson(text, app);
      expect(unescapeText(stored)).toBe(text);
      expect(textFromPerson(stored, app)).toBe(stored);
      expect(stored).not.toMatch(/[<>]/);
    }),
  );
});

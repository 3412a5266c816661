import * as fc from "fast-check";
import MarkdownIt, { type MarkdownIt as Parser } from "markdown-it";
import { describe, expect, test } from "vitest";
import { composeAnswer, composeStreamed, longestMessage } from "./compose-answer.ts";
import { literalMarkdown, neutraliseMentions, readable } from "./neutralise.ts";

const alice = new Set(["U0ALICE0001"]);

/** Returns what Slack, or a Markdown parser in front of it, could read as a mention of others than Alice. */
function liveIn(text: string): string[] {
  const plain = text
    .replaceAll(/&lt;|&#60;|&#x3c;/gi, "<")
    .replaceAll(/&commat;|&#64;/gi, "@")
    .replaceAll(/&excl;|&#33;/gi, "!")
    .replaceAll(/\\([<@!])/g, "$1");
  const controls = plain.match(/<!(?:channel|here|everyone)\b|<!subteam\^\w+|<@[UW][A-Z0-9]{2,}/g) ?? [];
  const broadcasts = plain.match(/(?<![\w.+-])@(?:channel|here|everyone)(?![\w/(-]|\.\w)/gi) ?? [];
  return [...controls.filter((found) => found !== "<@U0ALICE0001"), ...broadcasts];
}

const readers = [new MarkdownIt(), new MarkdownIt({ html: true })];

/** Returns the code and the other text of Markdown, as CommonMark reads it. */
function readingOf(text: string, reader: Parser = new MarkdownIt()) {
  const tokens = reader.parse(text, {}).flatMap((token) => token.children ?? [token]);
  const isCode = (type: string): boolean => ["code_inline", "code_block", "fence"].includes(type);
  return {
    code: tokens.filter(({ type }) => isCode(type)).map(({ content }) => content),
    rest: tokens.map(({ type, content }) => (isCode(type) ? "\n" : type.endsWith("break") ? "\n" : content)).join(""),
  };
}

/** Returns the text without what chat reads as code, by backticks alone. */
const outsideBackticks = (text: string): string => text.replaceAll(/```[\s\S]+?```|`[^`\n]+`/g, " ` ");

describe("outside code, an answer notifies only people in its thread", () => {
  test.each([
    "<!channel>",
    "<!here|here>",
    "<!everyone>",
    "<!subteam^S0123|@ops>",
    "<@U0BOB000001>",
    "<@U0BOB000001|bob>",
    "@channel",
    "(@here)",
    "Ask @here.",
    "&lt;!channel&gt;",
    "<\\!channel>",
    "<&#33;channel>",
    "<<!channel>!channel>",
    "&commat;here",
    "\\`<!here>\\`",
    "`a\n<!here>\nb`",
    "``a ` <!here>``",
    "```\n<!here>",
    "    ```\n<!here>\n    ```",
    "- ```\n<!here>\n```",
    "a ``` b\n```\n<!here>\n```",
    "<div>\n```\n<!here>\n```\n</div>",
    "a ` | <!here> | ` b\n--|--|--",
    "~~~\n@everyone\n~~~",
    "    <!channel>",
    "```<!here>\na\n```",
  ])("W5, S18: %j notifies no one and stays readable", (text) => {
    const safe = neutraliseMentions(text);
    expect(liveIn(outsideBackticks(safe))).toEqual([]);
    expect(safe).not.toBe(text);
    expect(safe.replaceAll("\u200B", "")).toBe(text);
    expect(neutraliseMentions(safe)).toBe(safe);
  });

  test("S18: external text is shown without any mention, also between backticks", () => {
    expect(liveIn(literalMarkdown("`<!here>` <@U0BOB000001> @here"))).toEqual([]);
  });

  test("keeps mentions of people in the thread, dates and e-mail addresses", () => {
    const text = "<@U0ALICE0001> <!date^1392734382^{date}|Feb 18> me@here.com 1 < 2 a <b>";
    expect(neutraliseMentions(text, alice)).toBe(text);
  });
});

describe("W5: code and what only begins like a mention stay byte for byte", () => {
  test.each([
    "```html\n<!DOCTYPE html>\n<!-- main part -->\n<@U0BOB000001> @here <!channel>\n```",
    'Use `@Channel("prices")` and ``List<@NonNull String>``.',
    "`<!channel>` and `@here`, `<@U0BOB000001>`",
    "````\n<!here>\n````",
    "1. Run\n\n   ```sh\n   curl -d '<!here>' x\n   ```",
    '~~~java\n@Channel("prices")\nList<@NonNull String> names;\n~~~',
    "    npm install @here/harp-mapview @group/ui",
    "npm install @here/harp-mapview @group/ui @groupon @hereford",
    "git push git@here.example.com:team/repo.git",
    "<!DOCTYPE html> <!-- this --> List<@NonNull T> <@Override> <!hereford>",
    "`a<br>b` and `<details>`",
  ])("%j", (text) => {
    expect(composeAnswer(text, new Set()).parts).toEqual([text]);
    expect(composeStreamed({ text: `${text}\n\nend `, people: new Set() })).toContain(text);
  });
});

test("W5, S18 property: no mention lives outside of what is code to every reader; code without one is unchanged", () => {
  const marks = [
    "`",
    "``",
    "```",
    "```\n",
    "~~~\n",
    "\n",
    "\n\n",
    "    ",
    "> ",
    "- ",
    " | ",
    "\n--|--\n",
    "<div>\n",
    "\\",
  ];
  const said = [
    "<!here>",
    "@here",
    "<@U0BOB000001>",
    "<@U0ALICE0001>",
    "<!DOCTYPE html>",
    "@Channel(",
    "word ",
    "&lt;!here&gt;",
  ];
  const piece = fc.oneof(fc.constantFrom(...marks), fc.constantFrom(...said));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      const text = pieces.join("");
      const safe = neutraliseMentions(text, alice);
      expect(liveIn(outsideBackticks(safe))).toEqual([]);
      for (const reader of readers) expect(liveIn(readingOf(safe, reader).rest)).toEqual([]);
      const [before, after] = [readingOf(text).code, readingOf(safe).code];
      expect(after.map((code) => code.replaceAll("\u200B", ""))).toEqual(before);
      const changed = before.filter((code, index) => after[index] !== code);
      expect(changed.filter((code) => liveIn(code).length === 0)).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test("W5, S18 property: what is streamed never has a mention that later text makes live", () => {
  const piece = fc.constantFrom(
    "`",
    "```\n",
    "\n```\n",
    "\n\n",
    "<!here> ",
    "@here ",
    "word ",
    "| ",
    "\n--|--\n",
    "~~~\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      for (let count = 1; count <= pieces.length; count += 1) {
        const streamed = composeStreamed({ text: `${pieces.slice(0, count).join("")} `, people: alice });
        const later = `${streamed}\n--|--|--\n\`x \`\`\``;
        expect(liveIn(outsideBackticks(streamed))).toEqual([]);
        for (const reader of readers) expect(liveIn(readingOf(later, reader).rest)).toEqual([]);
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["a line that can become a table", "One ` | <!here> | ` two\nmore ", "One ` | "],
  ["an open code block", "One\n\n```\ntwo <!here> three ", "One\n\n```\ntwo "],
  ["an open backtick", "One `two @here three ", "One `two "],
  ["an open backtick, whose person gets a name unless it is code", "One `<@U0BOB000001>  two ", "One `"],
  ["an open backtick, whose break becomes a line unless it is code", "One `two<br> three ", "One `two"],
  ["nothing that is settled", "One `two @here\n\nthree ", "One `two @\u200Bhere\n\nthree "],
])("W5: a stream holds back what is in %s", (_where, text, shown) => {
  expect(composeStreamed({ text, people: alice })).toBe(shown);
});

test("S18 property: no message of an answer is too long, however many mentions it has", () => {
  const said = fc.constantFrom(
    "<!here>",
    "<@U0BOB000001>",
    "@here ",
    "x@here ",
    "a".repeat(10_790),
    "word ".repeat(2_150),
    "```",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(said, { maxLength: 14 }), fc.constantFrom(1, 400), (pieces, times) => {
      for (const part of composeAnswer(pieces.join("").repeat(times).slice(0, 60_000), alice).parts)
        expect(part.length).toBeLessThanOrEqual(longestMessage);
    }),
    { numRuns: 100 },
  );
});

describe("W9: people and groups that an answer does not notify are named", () => {
  const names = new Map([
    ["U0BOB000001", "Bob *Carter*"],
    ["S0AAAAAAA", "@oncall"],
  ]);
  test.each([
    ["Bob is <@U0BOB000001>.", String.raw`Bob is Bob \*Carter\*.`],
    ["<@U0BOB000001|Robert>", String.raw`Bob \*Carter\*`],
    ["the group <!subteam^S0AAAAAAA>", "the group @oncall"],
    ["<@U0ALICE0001> and <@U0CAROL0001|Carol> and <@U0DAVE00001>", "<@U0ALICE0001> and Carol and someone"],
    ["<!subteam^S0BBBBBBB>", "a user group"],
    ["<#C0GENERAL01> <#C0GENERAL01|general> <!date^1700000000^{date_short}|Nov 14>", undefined],
    ["`<@U0BOB000001>`", undefined],
  ])("%s", (text, shown = text) => {
    expect(composeAnswer(text, alice, { names }).parts).toEqual([shown]);
    expect(readable(shown, { people: alice, names })).toBe(shown);
  });

  test("a stream waits for a name that is not known yet", () => {
    const text = "Bob is <@U0BOB000001>, of course. ";
    expect(composeStreamed({ text, people: alice, names: new Map() })).toBe("Bob is ");
    expect(composeStreamed({ text, people: alice, names })).toBe(String.raw`Bob is Bob \*Carter\*, of course. `);
  });
});

test.each([
  [
    "| Day | Tasks |\n|---|---|\n| Mon | buy milk<br>call Ann<br/>pay rent<br> |",
    "| Mon | buy milk; call Ann; pay rent |",
  ],
  ["a | b\n--|--\nx | y <BR /> z", "x | y; z"],
  ["one<br>two <br>\nthree", "one\ntwo\nthree"],
  ["<details><summary>More</summary>Hidden text</details>", "**More**\nHidden text"],
  ["a <details open>\n<summary> Two\n words </summary>\n\nText\n</details>\nb", "a \n**Two words**\n\nText\nb"],
  ["<kbd>Ctrl</kbd> <b>x</b> \\<br> <brand>", "<kbd>Ctrl</kbd> <b>x</b> \\<br> <brand>"],
])("W13: HTML that Slack shows as tags becomes what it means: %j", (text, shown) => {
  const [part = ""] = composeAnswer(text, new Set()).parts;
  expect(part).toContain(shown);
  expect(readable(part, { people: new Set() })).toBe(part);
});

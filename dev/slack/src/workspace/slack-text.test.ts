import { cpuMsOf } from "@crosszone/testkit/cpu";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { richTextBlock, textFromPerson } from "./slack-text.ts";

const app = { name: "Crosszone", bot_user_id: "U0CROSSZONE" };
const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const text = (words: string, style?: object) => ({ type: "text", text: words, ...(style && { style }) });

test.each<[string, string, object[]]>([
  [
    "**a** _b *c*_ `x < *y*` snake_case_name :tada:",
    "*a* _b *c*_ `x &lt; *y*` snake_case_name :tada:",
    [
      section(
        text("a", { bold: true }),
        text(" "),
        text("b ", { italic: true }),
        text("c", { italic: true, bold: true }),
        text(" "),
        text("x < *y*", { code: true }),
        text(" snake_case_name "),
        { type: "emoji", name: "tada" },
      ),
    ],
  ],
  [
    "- a\n    - b\n3. c",
    "• a\n    • b\n3. c",
    [
      { type: "rich_text_list", style: "bullet", indent: 0, elements: [section(text("a"))] },
      { type: "rich_text_list", style: "bullet", indent: 1, elements: [section(text("b"))] },
      { type: "rich_text_list", style: "ordered", indent: 0, offset: 2, elements: [section(text("c"))] },
    ],
  ],
  [
    "> <@U0CROSSZONE> a\n> b\n```\n- <b> https://c.example\n```",
    "&gt; <@U0CROSSZONE> a\n&gt; b\n```\n- &lt;b&gt; https://c.example\n```",
    [
      { type: "rich_text_quote", elements: [{ type: "user", user_id: "U0CROSSZONE" }, text(" a\nb")] },
      { type: "rich_text_preformatted", elements: [text("- <b> https://c.example")] },
    ],
  ],
  [
    "[docs](https://d.example/?a=1&b=2) <!subteam^S1>",
    "<https://d.example/?a=1&amp;b=2|docs> <!subteam^S1>",
    [
      section({ type: "link", url: "https://d.example/?a=1&b=2", text: "docs" }, text(" "), {
        type: "usergroup",
        usergroup_id: "S1",
      }),
    ],
  ],
])("%j is sent as text and as rich text", (typed, sent, elements) => {
  const written = textFromPerson(typed, app);
  expect(written).toBe(sent);
  expect(richTextBlock(written, "b").elements).toMatchObject(elements);
});

test("rich text keeps every word of any text, once", () => {
  const words = (value: unknown): string => (JSON.stringify(value).match(/"text":"[^"]*"/g) ?? []).join("");
  const piece = fc.constantFrom(..."* _ ~ ` ``` > 1. • - [x] :y: Z".split(" "), "\n", " ", "    ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const typed = pieces.join("");
      const block = richTextBlock(textFromPerson(typed, app), "id");
      expect(words(block.elements).split("Z").length).toBe(typed.split("Z").length);
    }),
    { numRuns: 1000 },
  );
});

test.each(["*a ", "*a *b ", "_*a ", "*_~", "<", "> ", "`", ":a", "&gt;", "https://a", "[a](", "**a"])(
  "a long message of %j takes a time that grows with its length, not with its square",
  async (piece) => {
    const typed = piece.repeat(40_000 / piece.length);
    const read = (): unknown => richTextBlock(textFromPerson(typed, app), "");
    expect(await cpuMsOf(read)).toBeLessThan(2_000);
  },
);

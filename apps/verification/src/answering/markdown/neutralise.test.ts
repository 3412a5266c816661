import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeAnswer, longestMessage } from "./compose-answer.ts";
import { neutraliseMentions } from "./neutralise.ts";

/** Returns what Slack, or a Markdown parser in front of it, could read as a mention. */
function liveMentions(text: string, people: ReadonlySet<string> = new Set()): string[] {
  const plain = text
    .replaceAll(/&lt;|&#60;|&#x3c;/gi, "<")
    .replaceAll(/&commat;|&#64;/gi, "@")
    .replaceAll(/&excl;|&#33;/gi, "!")
    .replaceAll(/\\([<@!])/g, "$1");
  const controls = [...plain.matchAll(/<[!@][^\s>]*/g)].map(([found]) => found);
  const broadcasts = [...plain.matchAll(/(?<![\w.+-])@(?:channel|here|everyone)\b/gi)].map(([found]) => found);
  const allowed = (found: string): boolean => found.startsWith("<!date^") || people.has(found.slice(2));
  return [...controls.filter((found) => !allowed(found)), ...broadcasts];
}

describe("neutraliseMentions", () => {
  test.each([
    "<!channel>",
    "<!here|here>",
    "<!everyone>",
    "<!subteam^S0123|@ops>",
    "<@U0BOB000001>",
    "<@U0BOB000001|bob>",
    "@channel",
    "(@here)",
    "`<!channel>`",
    "```\n@everyone\n<!here>\n```",
    "&lt;!channel&gt;",
    "<\\!channel>",
    "<&#33;channel>",
    "<<!channel>!channel>",
    "&commat;here",
  ])("S18: %s notifies no one and stays readable", (text) => {
    const safe = neutraliseMentions(text);
    expect(liveMentions(safe)).toEqual([]);
    expect(safe.replaceAll("\u200B", "")).toBe(text);
  });

  test("keeps mentions of people in the thread, dates and e-mail addresses", () => {
    const text = "<@U0ALICE0001> <!date^1392734382^{date}|Feb 18> me@here.com 1 < 2 a <b>";
    expect(neutraliseMentions(text, new Set(["U0ALICE0001"]))).toBe(text);
  });

  test("S18 property: no part of any answer contains a live mention or exceeds the limit", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<!channel>",
        "<!here",
        "<@U0BOB000001>",
        "<@U0ALICE0001>",
        "@channel",
        "x@here",
        "&lt;",
        "!",
        "<",
        "@",
        "\\",
      ),
      fc.constantFrom("a".repeat(10_797), "b".repeat(10_790), "word ".repeat(2_150), "```", "\n", " "),
      fc.string({ maxLength: 5 }),
    );
    const people = new Set(["U0ALICE0001"]);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const { parts } = composeAnswer(pieces.join(""), people);
        for (const part of parts) {
          expect(liveMentions(part, people)).toEqual([]);
          expect(part.length).toBeLessThanOrEqual(longestMessage);
        }
      }),
      { numRuns: 300 },
    );
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitMarkdown } from "./split-markdown.ts";

const limit = 11_000;
const sentence = "The quick brown fox jumps over the lazy dog. ";
const paragraphs = (length: number): string =>
  `${sentence.repeat(10).trim()}\n\n`.repeat(Math.ceil(length / 452)).slice(0, length);

/** Returns whether every fence is closed. Implemented independently of the tested code. */
function isBalanced(text: string): boolean {
  let open = "";
  for (const line of text.split("\n").map((one) => one.trim())) {
    const run = /^(`{3,}|~{3,})/.exec(line)?.[0] ?? "";
    if (open === "") {
      const info = line.slice(run.length);
      if (run !== "" && run.length <= 40 && !(run.startsWith("`") && info.includes("`"))) open = run;
    } else if (run.startsWith(open) && line === run) open = "";
  }
  return open === "";
}

describe("splitMarkdown", () => {
  test("S11: an answer of 6,000 characters is one message, one of 30,000 is three", () => {
    expect(splitMarkdown(paragraphs(6_000), limit)).toHaveLength(1);
    expect(splitMarkdown(paragraphs(30_000), limit)).toHaveLength(3);
    expect(splitMarkdown(sentence.repeat(667), limit)).toHaveLength(3);
  });

  test("S11: a code block that is split is closed and reopened with its language", () => {
    const code = Array.from({ length: 60 }, (_, line) => `const value${line} = ${line};`).join("\n");
    const parts = splitMarkdown(`Before\n\n\`\`\`ts\n${code}\n\`\`\`\n\nAfter`, 500).map(({ text }) => text);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts[0]).toMatch(/\n```$/);
    expect(parts[1]).toMatch(/^```ts\nconst value\d+ = \d+;\n/);
    expect(parts.at(-1)).toMatch(/\n```\n\nAfter$/);
    expect(parts.every(isBalanced)).toBe(true);
  });

  test("S11: Japanese is split after 。", () => {
    const parts = splitMarkdown("これは少し長い文です。".repeat(2_500), limit);
    expect(parts).toHaveLength(3);
    for (const { slice } of parts) expect(slice).toMatch(/。$/);
  });

  test("prefers to split at a paragraph, then a line, a sentence, a word", () => {
    const filler = "word ".repeat(36);
    const cutAt = (separator: string): string => {
      const text = `${filler}end.${separator}${"next words and no stop ".repeat(12)}`;
      return splitMarkdown(text, 200)[0]?.slice ?? "";
    };
    expect(cutAt("\n\n")).toMatch(/end\.\n\n$/);
    expect(cutAt("\n")).toMatch(/end\.\n$/);
    expect(cutAt(" ")).toMatch(/end\. $/);
    expect(splitMarkdown("words without any stop ".repeat(20), 200)[0]?.slice).toMatch(/ $/);
  });

  test("a grapheme that is longer than a message is split, but never inside a code point", () => {
    for (const shift of ["", "b"]) {
      const text = `${shift}a${"\u{1D167}".repeat(600)}`;
      for (const { slice } of splitMarkdown(text, 300)) expect(slice.isWellFormed()).toBe(true);
    }
  });

  const word = fc.oneof(
    { weight: 6, arbitrary: fc.string({ maxLength: 30 }) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
    fc.constantFrom(
      "\n",
      "\n\n",
      "\r\n",
      "。",
      ". ",
      " ",
      "```",
      "\n```\n",
      "\n```ts\n",
      "\n~~~~\n",
      "``",
      "\n    ```",
      "👩🏽‍🚀",
      "a".repeat(300),
    ),
  );
  const markdown = fc.array(word, { maxLength: 120 }).map((words) => words.join(""));

  test("property: no text is lost, no part is too long, code blocks are balanced, characters are whole", () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 200, max: 800 }), (text, most) => {
        const parts = splitMarkdown(text, most);
        const whole = parts.map(({ slice }) => slice).join("");
        expect(whole.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
        for (const part of parts) {
          expect(part.text.length).toBeLessThanOrEqual(most);
          expect(part.text).toContain(part.slice);
          expect(isBalanced(part.text)).toBe(true);
          expect(part.text.isWellFormed() || !text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

import type { StepState, TaskProgress, TaskStep } from "@crosszone/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationWords, longestMessage, stepList, usedLine } from "./compose-answer.ts";
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

const step = (title: string, state: StepState = "succeeded", more: Partial<TaskStep> = {}): TaskStep => ({
  id: "step",
  title,
  state,
  depth: 0,
  ...more,
});

const progress = (...steps: TaskStep[]): TaskProgress => ({ revision: 1, steps });

describe("step list", () => {
  test("each step has a line with its state; nested steps are indented, and a loop shows its count", () => {
    expect(
      stepList(
        progress(
          step("Proofread"),
          step("Each part", "running", { done: 2, total: 5 }),
          step("Find the keywords", "running", { depth: 1 }),
          step("Translate", "failed", { depth: 1 }),
          step("Publish", "skipped"),
          step("Tell", "canceled"),
          step("Seal", "pending"),
        ),
      ).split("\n"),
    ).toEqual([
      "✓ Proofread",
      "◐ Each part (2/5)",
      "\u2003◐ Find the keywords",
      "\u2003✗ Translate",
      "– Publish",
      "– Tell",
      "○ Seal",
    ]);
  });

  test("the number of omitted steps is shown", () => {
    expect(stepList({ ...progress(step("a")), more: 1 })).toBe("✓ a\n… and 1 more step");
    expect(stepList({ ...progress(step("a")), more: 3 })).toBe("✓ a\n… and 3 more steps");
  });

  test("the line of a finished answer names what was used, once each, and how long it took", () => {
    expect(usedLine(["proofreader", "keywords", "keywords"], 2_140)).toBe("Used proofreader, keywords · 2.1 s");
    expect(usedLine([], 90_000)).toBe("Answered in 1 min 30 s");
    const many = Array.from({ length: 12 }, (_none, at) => `a${at}`);
    expect(usedLine(many, 60)).toBe("Used a0, a1, a2, a3, a4, a5, a6, a7 and 4 more · 0.1 s");
    expect(durationWords(59_960)).toBe("1 min 0 s");
  });

  describe("a step title from outside", () => {
    test.each([
      ["**bold** _it_ ~~x~~ `code`", String.raw`\*\*bold\*\* \_it\_ \~\~x\~\~ \`code\``],
      ["AT&T's snake_case #1, a|b!", "AT&T's snake_case #1, a|b!"],
      ["[click](https://evil.example)", String.raw`\[click\](https://evil.example)`],
      ["line\n\n# one\r\n- two\u2028three", "line # one - two three"],
      ["```js", String.raw`\`\`\`js`],
      ["a \\* b \\", String.raw`a \\\* b \\`],
      ["1 < 2 <b>x</b> &lt; &#42;", String.raw`1 \< 2 \<b>x\</b> \&lt; \&#42;`],
      ["\u202Egnp.exe\u0007", "gnp.exe"],
    ])("is shown literally: %j", (title, markdown) => {
      expect(stepList(progress(step(title)))).toBe(`✓ ${markdown}`);
    });

    test.each(["<!channel>", "<@U123>", "&lt;!here&gt;", "@channel", "<!subteam^S1>", "\\<@U1>"])(
      "notifies no one: %s",
      (title) => {
        expect(stepList(progress(step(title)))).not.toMatch(/(?:<|&lt;)\\*[@!]|@channel/);
      },
    );

    test("that is blank is replaced by the step's id", () => {
      expect(stepList(progress(step(" \n\u0007 ", "running", { id: "find_it" })))).toBe("◐ find_it");
    });

    test.each(["x", "*", "<@", "@here ", "🦉", "&lt;!"])("of maximum length, in 50 deeply nested steps: %s", (unit) => {
      const steps = Array.from({ length: 50 }, () =>
        step(unit.repeat(255), "running", { depth: 99, done: 1e6, total: 1e6 }),
      );
      const text = stepList({ ...progress(...steps), more: 1e6 });
      expect(text.length).toBeLessThan(longestMessage);
      expect(text.split("\n")).toHaveLength(51);
      expect(text.isWellFormed()).toBe(true);
    });
  });
});

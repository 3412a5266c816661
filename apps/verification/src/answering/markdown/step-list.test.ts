import type { StepState, TaskProgress, TaskStep } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { longestMessage } from "./compose-answer.ts";
import { durationText, stepList, usedLine } from "./step-list.ts";

const step = (title: string, state: StepState = "succeeded", more: Partial<TaskStep> = {}): TaskStep => ({
  id: "step",
  title,
  state,
  depth: 0,
  ...more,
});
const progress = (...steps: TaskStep[]): TaskProgress => ({ revision: 1, steps });

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
  expect(durationText(59_960)).toBe("1 min 0 s");
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

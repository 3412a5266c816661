import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { expect, test } from "vitest";
import { composeAnswer, composeWorking, GrowingText, longestMessage, settledText } from "./compose-answer.ts";
import { splitMarkdown } from "./split-markdown.ts";

const noPeople = new Set<string>();
const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_none, index) => text(index + 1)).join("\n\n");
const tableOf = (rows: number, row: (index: number) => string): string =>
  [
    "| Shop | City | Units |",
    "|:---|:---|---:|",
    ...Array.from({ length: rows }, (_none, index) => row(index + 1)),
  ].join("\n");

/** Returns the blocks that Slack makes of Markdown, and the sizes of its tables. */
function madeOf(text: string): { kinds: string[]; rows: number[]; columns: number; cells: number } {
  const tokens = new MarkdownIt().parse(text, {});
  const kinds = tokens
    .filter(({ level, nesting }) => level === 0 && nesting >= 0)
    .map(({ type }) => (/^(?:heading_open|hr|fence|code_block|table_open)$/.test(type) ? type : "prose"));
  const tables = tokens
    .flatMap(({ type }, index) => (type === "table_open" ? [index] : []))
    .map((from) => {
      const end = tokens.findIndex(({ type }, index) => index > from && type === "table_close");
      return tokens.slice(from, end);
    });
  const count = (table: typeof tokens, type: string): number => table.filter((token) => token.type === type).length;
  return {
    kinds: kinds.filter((kind, index) => kind !== "prose" || kinds[index - 1] !== "prose"),
    rows: tables.map((table) => count(table, "tr_open")),
    columns: Math.max(0, ...tables.map((table) => count(table, "th_open"))),
    cells: tables.flat().reduce((sum, { type, content }) => sum + (type === "inline" ? content.length : 0), 0),
  };
}

/** Returns why Slack would refuse a message. */
function refusalOf(text: string): string | undefined {
  const { kinds, rows, columns, cells } = madeOf(text);
  if (kinds.length > 45) return `${kinds.length} blocks`;
  if (rows.some((count) => count > 100) || columns > 20 || cells > 10_000) return `tables of ${rows.join()} rows`;
  const headings = kinds.filter((kind) => kind === "heading_open").length;
  return text.length + 100 * headings > 12_000 ? `${text.length} characters, ${headings} headings` : undefined;
}

const columns = (count: number, cell: (index: number) => string): string =>
  `|${Array.from({ length: count }, (_none, index) => cell(index)).join("|")}|`;
const wide = [columns(21, (at) => `c${at}`), columns(21, () => "-"), columns(21, (at) => `v${at}`)].join("\n");

test.each<[string, string, number]>([
  ["55 small tables", times(55, (at) => `**Item ${at}**\n\n| Key | Value |\n|---|---|\n| id | ${at} |`), 3],
  ["60 headings with text", times(60, (at) => `## Step ${at}\n\nDo it.`), 3],
  ["60 headings alone", times(60, (at) => `Step ${at}\n---`), 2],
  ["100 rules", times(100, () => "word\n\n---"), 5],
  ["60 code blocks", times(60, (at) => `\`\`\`\ncode ${at}\n\`\`\``), 2],
  ["40 long headings", times(40, (at) => `# ${"word ".repeat(44)}${at}`), 2],
  ["a table of 450 rows", tableOf(450, (at) => `| Shop number ${at} | City of example ${at} | ${at * 3} |`), 5],
  ["a table of long rows", tableOf(12, (at) => `| ${at} ${"x".repeat(2_000)} | a | b |`), 3],
  [
    "two tables of 99 rows",
    `${tableOf(99, (at) => `| ${at} | a | b |`)}\n\n${tableOf(99, (at) => `| ${at} | a | b |`)}`,
    1,
  ],
])("W1, W10: %s become messages that Slack takes, with nothing lost", (_what, text, messages) => {
  const { parts } = composeAnswer(text, noPeople);
  expect(parts.map(refusalOf).filter((why) => why !== undefined)).toEqual([]);
  expect(parts).toHaveLength(messages);
  const header = /^\| Shop.*\n.*\n/;
  const whole = parts.map((part, index) => (index === 0 ? part : part.replace(header, ""))).join("\n");
  expect(whole.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
});

test("W10: each part of a long table begins with its header, and the text after it does not", () => {
  const rows = tableOf(250, (at) => `| Shop ${at} | City | ${at} |`);
  const { parts } = composeAnswer(`Sales:\n\n${rows}\n\nThat is all.`, noPeople);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts)
    expect(part).toMatch(/^(?:Sales:\n\n)?\| Shop \| City \| Units \|\n\|:---\|:---\|---:\|\n\| Shop \d+/);
  expect(parts.at(-1)).toMatch(/\n\nThat is all\.$/);
});

test("W10: a heading stays with what follows it", () => {
  const { parts } = composeAnswer(
    times(40, (at) => `## Step ${at}\n\nDo it.`),
    noPeople,
  );
  expect(parts.map((part) => part.slice(0, 5))).toEqual(["## St", "## St"]);
});

test.each([
  ["21 columns", wide],
  ["a cell of 5,000 characters", `| a | b |\n|---|---|\n| ${"word ".repeat(1_000)}| x |`],
])("W10: a table with %s is code", (_what, table) => {
  const { parts } = composeAnswer(`Look:\n\n${table}\n\nDone.`, noPeople);
  expect(parts).toEqual([`Look:\n\n\`\`\`\n${table}\n\`\`\`\n\nDone.`]);
});

test("an answer of very many blocks becomes its beginning and a file", () => {
  const text = times(400, (at) => `# ${at}\n\nx`);
  const { parts, file } = composeAnswer(text, noPeople);
  expect([parts.length, parts.map(refusalOf), file?.content]).toEqual([1, [undefined], text]);
});

const line = fc.oneof(
  fc.constantFrom(
    "# Heading\n",
    "---\n\n",
    "a\n===\n",
    "\n",
    "```ts\n",
    "```\n",
    "> quote\n",
    "- item\n",
    "  - deeper\n",
    "    code\n",
  ),
  fc.constantFrom(
    "| a | b |\n|---|---|\n",
    "| 1 | 2 |\n",
    "word ".repeat(60),
    "漢字かな。".repeat(40),
    "👩🏽‍🚀",
    "x".repeat(500),
  ),
);

test("W1, W10 property: Slack takes every part of any Markdown", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.constantFrom(1, 3, 9), (lines, repeats) => {
      const text = lines.join("").repeat(repeats);
      for (const part of splitMarkdown(text, 10_800)) expect(refusalOf(part.text)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test("W10 property: what people read in one message while a text grows stays there, and in the answer", () => {
  const piece = fc.oneof(line, fc.string({ maxLength: 40 }), fc.constantFrom("sentence. ", "\n\n"));
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 30, maxLength: 100 }),
      fc.integer({ min: 1, max: 5 }),
      (pieces, repeats) => {
        const growing = new GrowingText();
        let text = "";
        let shown: readonly string[] = [];
        for (const delta of Array.from({ length: repeats }, () => pieces).flat()) {
          growing.write((text += delta));
          const now = growing.messages.map((message) => message.text);
          for (const [index, before] of shown.entries())
            expect(now[index]?.startsWith(settledText(before).trimEnd())).toBe(true);
          shown = now;
        }
        const { parts, file } = composeAnswer(text, noPeople, { shown: growing.slices });
        for (const [index, { text: full, isWhole }] of growing.messages.entries())
          expect(isWhole ? composeAnswer(full, noPeople, { shown: [full] }).parts : [parts[index]]).toEqual([
            parts[index],
          ]);
        for (const part of parts) expect(madeOf(part).kinds.length).toBeLessThanOrEqual(49);
        expect(growing.messages.length).toBeLessThanOrEqual(file === undefined ? parts.length : 5);
      },
    ),
    { numRuns: 25 },
  );
});

test("W10: a message that is full with the end of a text begins no other message", () => {
  const growing = new GrowingText();
  const paragraph = "word ".repeat(1_700);
  growing.write(`${paragraph}\n\n`);
  expect(growing.messages).toEqual([{ text: expect.any(String), isWhole: true }]);
  growing.write(`${paragraph}\n\nMore.`);
  expect(growing.messages.map(({ text }) => text.trim().split(" ").at(-1))).toEqual(["word", "More."]);
});

test("what a message shows while it grows leaves out the steps rather than the text", () => {
  const text = "word ".repeat(1_790);
  const steps = Array.from({ length: 50 }, (_none, at) => ({
    id: `${at}`,
    title: "x".repeat(80),
    state: "running" as const,
    depth: 0,
  }));
  const shown = composeWorking({ text, people: noPeople, progress: { revision: 1, steps } });
  expect(shown.startsWith("word ")).toBe(true);
  expect(shown.length).toBeLessThan(longestMessage);
});

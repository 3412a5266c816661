import { writeFileSync } from "node:fs";
import { tempFile } from "@crosszone/testkit/temporary";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FileProblemsError, readYamlFile } from "./read-yaml-file.ts";

/** Returns the content of a text, or its problems by line and column. */
async function read(text: string): Promise<unknown> {
  try {
    return (await readYamlFile(tempFile("file.yaml", text), "file of agents")).value;
  } catch (error) {
    if (!(error instanceof FileProblemsError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  }
}

const bomb = [...Array(10).keys()].map((n) => `a${n}: &a${n} [${n ? `*a${n - 1},`.repeat(10) : "x"}]`).join("\n");
const second = "the file of agents has a second document: remove it";
const tab = "a tab indents the line: use spaces";
const quoted = "a text that begins with this character needs quotes: put quotes around it";
const column = "the column is wrong: indent the line like its neighbors";
const unclosed = "a { or [ is not closed, or is not indented more than its key: close or indent it";
const ended = "the value ends before this character: put quotes around the whole value, or remove the rest";
const anchor = "anchors and tags can't be used here: put quotes around a text with &, * or !";
const key = "a key needs a colon and a space after it, on its line: write key: value";
const nested = 'the value has ": " or "- " in it: put quotes around it, or begin a new line';
const comma = "a comma, or the space after a colon, is missing between braces or brackets: add it";
const conflict = "a Git conflict is not resolved: keep one side, and remove the lines that mark it";
const blank = "a key begins or ends with a blank that is no space: use spaces";

test.each([
  ["---\na: 1\n---\nb: 2", `3:1: ${second}`],
  ["a: 1\n---\n", `2:1: ${second}`],
  ["a:\n\tb: 1\n\tc: 2", `2:1: ${tab}`],
  ["a:\n  b: 1\n \tc: 2", `3:1: ${tab}`],
  ["a: {\n\tb: 1\n}", `2:2: ${tab}`],
  ["a:\n\u00A0\u00A0b: 1", `2:1: ${blank}`],
  ["x:\n  a: 1\n  a: 2", "3:3: the key is already in this map: remove one of the two"],
  [bomb, "1:1: the aliases expand to too much data: write out what they refer to"],
  ["a: &x\n  b: *x", "2:6: an alias is inside of what it refers to: write the members out"],
  ["a: &x {b: 1}\nc:\n  <<: [*x]", "3:3: YAML merge keys are not supported: write the members out"],
  ["a: *.txt", "1:4: an alias has no anchor before it: put quotes around a text that begins with *"],
  ["a: & b", `1:4: ${anchor}`],
  ["a: &x 1\nb: &y *x", `2:7: ${anchor}`],
  ["a: !!binary aGk=", `1:4: ${anchor}`],
  ["a: !!python/object {b: 1}", `1:4: ${anchor}`],
  ["%YAML 1.1\n---\na: 010", "1:1: the file is read as YAML 1.2: remove the line %YAML"],
  ["%FOO\n---\na: 1", "1:1: the file is read as YAML 1.2: remove the line that begins with %"],
  ["a: @b", `1:4: ${quoted}`],
  ["a: { b: ${c.output} }", "1:10: ${…} between braces or brackets needs quotes: put quotes around it"],
  ["a: {{ b }}", "1:5: a key must be a text: put quotes around a text that begins with a brace or a bracket"],
  ["a: Error: b\nc: 1", `1:4: ${nested}`],
  ["a: - b", `1:4: ${nested}`],
  ["a: 1\nb:2", `2:1: ${key}`],
  ["a:\n    b: 1\n  c: 2", `3:1: ${column}`],
  ["b: 1\n- a", `2:1: ${column}`],
  ['a: 1\nb: "c\nd: 2\n', "2:4: a text in quotes is not closed: add the quote at its end"],
  ["a: { b: 1\nc: 2", `2:1: ${unclosed}`],
  ["a: [1", `1:6: ${unclosed}`],
  ['{"a":1}\n{"a":2}', `2:1: ${ended}`],
  ['a: "x" y', `1:8: ${ended}`],
  ["a: 'x'#y", `1:7: ${ended}`],
  ["a: { b: 1 c: 2 }", `1:9: ${comma}`],
  ['a: "C:\\dir"', "1:7: a backslash in double quotes begins an escape: write two, or use single quotes"],
  ["a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x", `2:1: ${conflict}`],
  ["[".repeat(5000), expect.stringContaining("too many maps and lists are inside each other: use fewer levels")],
])("J12: one sentence with the fix: %j", async (text, problem) => {
  expect(await read(text)).toEqual([problem]);
});

test.each([
  ["a: 12345678901234567890", "1:4: 12345678901234567890 would become 12345678901234567000: put quotes around it"],
  ["a:\n  - 1\n  - 010", "3:5: 010 is read as 10: write 10, or put quotes around it"],
  ["a: -08.5", "1:4: -08.5 is read as -8.5: write -8.5, or put quotes around it"],
  ["a: .inf", "1:4: .inf is not a number in JSON: remove it, or put quotes around it"],
  ["a: { b: .NaN }", "1:9: .NaN is not a number in JSON: remove it, or put quotes around it"],
  ["a: 1e400", "1:4: 1e400 would become null: put quotes around it"],
  ["a: -0.0", "1:4: -0.0 would become 0: put quotes around it"],
  ["a: 0xFFFFFFFFFFFFFFFF", "1:4: 0xFFFFFFFFFFFFFFFF is too large: put quotes around it"],
  ["12345678901234567890: a", "1:1: 12345678901234567890 would become 12345678901234567000: put quotes around it"],
  ['1: a\n"1": b', "2:1: the key is already in this map: remove one of the two"],
  ['{"a": 1, "a": 2}', "1:10: the key is already in this map: remove one of the two"],
  ["a: &x { b: 1 }\nc:\n  <<: *x\n  d: 1", "3:3: YAML merge keys are not supported: write the members out"],
])("O1: %s changed without a word", async (text, problem) => {
  expect(await read(text)).toEqual([problem]);
});

test("O1: values that YAML keeps were refused", async () => {
  const text = `
a: [0, 1.10, 1e3, +5, .5, 5., -.5, 0o17, 0x1F, 9007199254740991, 0.1]
b: [NO, yes, on, 12:30, 190:20:30, 2026-11-26, 1_000, ~]
c: ["010", '.inf', "12345678901234567890"]
"<<": text
`;
  expect(await read(text)).toHaveProperty("<<", "text");
});

test("J12: a list for a map, and a map for a list, are named as YAML has them", async () => {
  const { problemAt } = await readYamlFile(tempFile("file.yaml", "a: 1"), "file of agents");
  const messages = ["must be array", "Invalid input: expected object, received null", "must be arrays"];
  expect(messages.map((message) => problemAt({ pointer: "/a", message }).message)).toEqual([
    'must be a list: begin each item with "- "',
    "must be a map: write its members as key: value",
    "must be arrays",
  ]);
});

test("J12: a file in UTF-16 is refused", async () => {
  const path = tempFile("file.yaml", "");
  writeFileSync(path, "\uFEFFa: 1", "utf16le");
  await expect(readYamlFile(path, "file of agents")).rejects.toThrow(
    "the file of agents is not UTF-8: save it as UTF-8",
  );
});

test("J12: what YAML allows was refused", async () => {
  const value = { a: "1", b: { c: "x\ny\n" } };
  for (const end of ["\n", "\r\n", "\r"])
    expect(
      await read(["\uFEFF%YAML 1.2", "---", "a:\t!!str 1\t# x", "b:", "  c: |", "    x", "    y", "..."].join(end)),
    ).toEqual(value);
  expect(await read("a: &x 1\nb: &x 2\nc: [*x, 'it''s', \"\\u00e9\", d]")).toEqual({
    a: 1,
    b: 2,
    c: [2, "it's", "é", "d"],
  });
});

test("J12: whatever is cut or put in between, each problem says what to do and shows no text of the file", async () => {
  const text =
    "agents:\n  - name: hunter2\n    url: \"http://hunter2/\"\n    auth: { type: x, token: 'hunter2' } # hunter2\n";
  const odd = fc.constantFrom("", "- ", "<<: ", ...Array.from("\t{}[]*&!%@`:'\"\n#|?"));
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length), fc.nat(12), odd, async (at, cut, put) => {
      const problems = await read("x: 1\n" + text.slice(0, at) + put + text.slice(at + cut));
      if (!Array.isArray(problems)) return;
      expect(problems.join("\n")).not.toContain("hunter");
      for (const problem of problems)
        expect(problem).toMatch(/^\d+:\d+: [^\n]+: (put|write|add|close|remove|use|indent|keep|move) [^\n]+$/);
    }),
  );
});

import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { FileProblemsError, readYamlFile } from "./read-yaml-file.ts";

/** Returns the problems of a text by line and column. */
async function problemsOf(text: string): Promise<readonly string[]> {
  try {
    await readYamlFile(tempFile("file.yaml", text), "file of agents");
    return [];
  } catch (error) {
    if (!(error instanceof FileProblemsError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  }
}

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
  ['1: a\n"1": b', "2:1: Map keys must be unique"],
  ['{"a": 1, "a": 2}', "1:10: Map keys must be unique"],
  ["a: &x { b: 1 }\nc:\n  <<: *x\n  d: 1", "3:3: YAML merge keys are not supported: write the members out"],
])("O1: %s changed without a word", async (text, problem) => {
  expect(await problemsOf(text)).toEqual([problem]);
});

test("O1: values that YAML keeps were refused", async () => {
  const text = `
a: [0, 1.10, 1e3, +5, .5, 5., -.5, 0o17, 0x1F, 9007199254740991, 0.1]
b: [NO, yes, on, 12:30, 190:20:30, 2026-11-26, 1_000, ~]
c: ["010", '.inf', "12345678901234567890"]
"<<": text
`;
  expect(await problemsOf(text)).toEqual([]);
});

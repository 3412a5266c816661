import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readCorpus, schemaOf } from "./corpus.ts";
import { readContract, readJson } from "./contract.ts";

const { types, schemasDir } = readContract();
const folder = join(schemasDir, "fixtures");
const tasks = "task.cases.json";

/** A folder of schemas with this file of cases only. */
const folderWith = (path: string, text: string): string => {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-cases-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, "fixtures", dirname(path)), { recursive: true });
  writeFileSync(join(dir, "fixtures", path), text);
  return dir;
};
const value = { name: "a", value: {} };
const problem = { ...value, problems: [""] };

test.each([
  ["no JSON", "{", `fixtures/${tasks}: `],
  [
    "nothing invalid",
    { valid: [value], invalid: [] },
    `schemas/fixtures/${tasks}#/attachment/invalid must NOT have fewer`,
  ],
  [
    "a list of problems that is empty",
    { valid: [value], invalid: [{ ...value, problems: [] }] },
    "#/attachment/invalid/0/problems",
  ],
  ["a repeated name", { valid: [value, value], invalid: [problem] }, "#/attachment/valid: two entries have the name a"],
])("refuses a file with %s", (_, content, message) => {
  const text =
    typeof content === "string" ? content : JSON.stringify({ $schema: "cases-format.json", attachment: content });
  expect(() => readCorpus(types, folderWith(tasks, text))).toThrow(message);
});

test("each schema has cases, and each file names its format for editors", () => {
  expect([...new Set(readCorpus(types).map(({ schema }) => schema))].toSorted()).toEqual(
    types.map(schemaOf).toSorted(),
  );
  const paths = globSync("{*.cases.json,*/exchanges.json}", { cwd: folder });
  for (const path of paths) {
    const { $schema } = readJson(folder, path) as { $schema: string };
    expect([path, join(dirname(path), $schema)]).toEqual([
      path,
      path.endsWith(".cases.json") ? "cases-format.json" : "exchanges-format.json",
    ]);
  }
});

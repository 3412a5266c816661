import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readCases, readCorpus, schemaOf } from "./read-cases.ts";
import { readContract } from "./read-contract.ts";
import { readJson } from "./read-json.ts";

const { types, schemasDir } = readContract();
const folder = join(schemasDir, "fixtures");
const attachment = "task/attachment.cases.json";

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
  ["no JSON", "{", `fixtures/${attachment}: `],
  ["nothing invalid", { valid: [value], invalid: [] }, `schemas/fixtures/${attachment}#/invalid must NOT have fewer`],
  ["nothing valid", { invalid: [problem] }, "must have required property 'valid'"],
  ["no problems", { valid: [value], invalid: [value] }, "#/invalid/0 must have required property 'problems'"],
  [
    "a list of problems that is empty",
    { valid: [value], invalid: [{ ...value, problems: [] }] },
    "#/invalid/0/problems",
  ],
  ["an entry without a value", { valid: [{ name: "a" }], invalid: [problem] }, "#/valid/0 must have required property"],
  ["a repeated name", { valid: [value, value], invalid: [problem] }, "#/valid: two entries have the name a"],
])("refuses a file with %s", (_, content, message) => {
  const text = typeof content === "string" ? content : JSON.stringify({ $schema: "../cases-format.json", ...content });
  expect(() => readCorpus(types, folderWith(attachment, text))).toThrow(message);
});

test("refuses a file that belongs to no schema", () => {
  const dir = folderWith("task/no-such-schema.cases.json", "{}");
  expect(() => readCorpus(types, dir)).toThrow("schemas/fixtures/task/no-such-schema.cases.json belongs to no schema");
});

test("says which file to write for a new schema", () => {
  expect(() => readCases("task/new-thing")).toThrow("schemas/fixtures/task/new-thing.cases.json is missing. Write ");
});

test("each file belongs to a schema and names its format for editors", () => {
  const paths = globSync("*/**/*.json", { cwd: folder, exclude: ["jsonrpc-2.0/**"] });
  const formats = paths.map((path) => {
    const { $schema } = readJson(folder, path) as { $schema: string };
    return [path, join(dirname(path), $schema)];
  });
  expect(Object.fromEntries(formats)).toEqual({
    ...Object.fromEntries(types.map((type) => [`${schemaOf(type)}.cases.json`, "cases-format.json"])),
    "a2a/exchanges.json": "exchanges-format.json",
    "simple-a2a/exchanges.json": "exchanges-format.json",
  });
});

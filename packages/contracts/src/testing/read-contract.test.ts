// suite: both
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { readContract, readJson } from "./contract.ts";
import { readCorpus, schemaOf } from "./corpus.ts";

const original = readContract();

/** A third of the cases in the quick suite, since each reads the whole contract. */
const some = <T>(cases: readonly T[]): readonly T[] =>
  inject("engines" as never) === "sqlite" ? cases.filter((_case, at) => at % 3 === 0) : cases;
const newFile = "task/new-thing.schema.json";

function tempFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-schemas-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

/** A copy of schemas/ without fixtures, with one file written or edited. */
function edited(path: string, edit: (text: string) => string): string {
  const dir = tempFolder();
  cpSync(original.schemasDir, dir, { recursive: true, filter: (source) => basename(source) !== "fixtures" });
  const before = path === newFile ? "" : readFileSync(join(dir, path), "utf8");
  const after = edit(before);
  expect(after, "the edit changes the file").not.toBe(before);
  writeFileSync(join(dir, path), after);
  return dir;
}

/** Reads the contract with one more schema: a file like the others, with these keywords. */
function readWith(keywords: object) {
  const schema = { $id: `https://crosszone.dev/schemas/${newFile}`, title: "SomethingNew", ...keywords };
  return readContract(edited(newFile, () => JSON.stringify(schema)));
}

test.each(
  some([
    [
      { properties: { file: { $ref: "attachement.schema.json" } } },
      "#/properties/file: $ref attachement.schema.json points at no schema of the contract",
    ],
    [
      { title: "Attachment" },
      ': title "Attachment" is taken by task/attachment.schema.json; give each type a title of its own',
    ],
    [{ title: undefined }, ": title is missing; it names the TypeScript type"],
    [
      { properties: { pair: { type: "array", prefixItems: [{}, {}] } } },
      "#/properties/pair: no validator knows prefixItems; say it with other keywords",
    ],
    [{ $id: "https://crosszone.dev/schemas/task/other.schema.json" }, `: $id must end in /schemas/${newFile}`],
    [
      { enum: ["a", "b"], "x-meanings": { a: "First." } },
      ": x-meanings must describe each value of enum, and nothing else",
    ],
    [
      { type: "string", pattern: "[\\u0000-\\u001f]" },
      ": pattern has \\u, which Python and Go read in another way or not at all; name the characters, or write \\x00",
    ],
    [
      { type: "string", pattern: "^[a-z]$" },
      ': pattern ends in $, which in Python matches before a last line feed; put "not": { "pattern": "\\\\n" } beside it',
    ],
    [{ const: "2.0" }, ': const "2.0" also matches a number in Go; put "type": "string" beside it'],
    [{ type: "string", format: "uuid" }, ": format uuid is not checked in every language; put a pattern beside it"],
  ]),
)("a bad schema is refused in one line that names the file: %j", (keywords, message) => {
  expect(() => readWith(keywords)).toThrow(new Error(newFile + message));
});

test("all problems of a schema are named at once, one a line; a property may have the name of a refused keyword", () => {
  expect(() => readWith({ $id: "x", title: "Attachment", properties: { a: { $ref: "b" } } })).toThrow(
    /^(task\/new-thing\.schema\.json.*\n?){3}$/,
  );
  const { types } = readWith({ properties: { prefixItems: { type: "string" } } });
  expect(types).toHaveLength(original.types.length + 1);
});

test.each(
  some([
    [newFile, "", "{ title: 1 }", `${newFile}: `],
    ["errors.json", '"timeout":', '"time_out":', "no row for timeout, which common.schema.json has as an ErrorKind"],
    ["channels.json", "bus/agent-result", "bus/result", "agent_results.message bus/result.schema.json is no schema"],
    [
      "channels.json",
      '"key": "task_id"',
      '"key": "deadline"',
      "agent_tasks.key deadline is no required member of bus/agent-task.schema.json",
    ],
    [
      "methods.json",
      "task/cancel-task-params",
      "task/cancel",
      "cancel_task.params task/cancel.schema.json is no schema",
    ],
    [
      "methods.json",
      '"unknown_agent"',
      '"no_agent"',
      "execute_task.errors has no_agent, which is no kind of errors.json",
    ],
  ]),
)("a table that does not fit the schemas is refused: %s with %s as %s", (path, from, ...[to, line]) => {
  const dir = edited(path, (text) => text.replace(from, to));
  expect(() => readContract(dir)).toThrow(path === newFile ? line : `${path}: ${line}`);
});

const folder = join(original.schemasDir, "fixtures");
const tasks = "task.cases.json";
const value = { name: "a", value: {} };
const problem = { ...value, problems: [""] };

test.each(
  some([
    ["{", `fixtures/${tasks}: `],
    [{ valid: [value], invalid: [] }, `schemas/fixtures/${tasks}#/attachment/invalid must NOT have fewer`],
    [{ valid: [value], invalid: [{ ...value, problems: [] }] }, "#/attachment/invalid/0/problems"],
    [{ valid: [value, value], invalid: [problem] }, "#/attachment/valid: two entries have the name a"],
  ]),
)("a bad file of cases is refused: %j", (content, message) => {
  const text =
    typeof content === "string" ? content : JSON.stringify({ $schema: "cases-format.json", attachment: content });
  const dir = tempFolder();
  mkdirSync(join(dir, "fixtures"));
  writeFileSync(join(dir, "fixtures", tasks), text);
  expect(() => readCorpus(original.types, dir)).toThrow(message);
});

test("each schema has cases, and each file names its format for editors", () => {
  expect([...new Set(readCorpus(original.types).map(({ schema }) => schema))].toSorted()).toEqual(
    original.types.map(schemaOf).toSorted(),
  );
  for (const path of globSync("{*.cases.json,*/exchanges.json}", { cwd: folder })) {
    const { $schema } = readJson(folder, path) as { $schema: string };
    const format = path.endsWith(".cases.json") ? "cases-format.json" : "exchanges-format.json";
    expect([path, join(dirname(path), $schema)]).toEqual([path, format]);
  }
});

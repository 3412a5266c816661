import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readContract } from "./contract.ts";

const original = readContract();
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

/** A copy of schemas/ without fixtures, with one file edited. */
function edited(path: string, edit: (text: string) => string): string {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-schemas-"));
  folders.push(dir);
  cpSync(original.schemasDir, dir, { recursive: true, filter: (source) => basename(source) !== "fixtures" });
  const before = path.includes("new-") ? "" : readFileSync(join(dir, path), "utf8");
  const after = edit(before);
  expect(after, "the edit changes the file").not.toBe(before);
  writeFileSync(join(dir, path), after);
  return dir;
}

/** A schema file like the others, with these keywords. */
function schemaAt(path: string, keywords: object): string {
  return JSON.stringify({ $id: `https://crosszone.dev/schemas/${path}`, title: "SomethingNew", ...keywords });
}

const newFile = "task/new-thing.schema.json";
const attachment = "task/attachment.schema.json";

test("the current contract has no problems", () => {
  expect(readContract(edited("errors.json", (text) => `${text}\n`)).types).toHaveLength(original.types.length);
});

describe("a bad schema is refused in one line that names the file", () => {
  test.each([
    [
      "an unknown reference",
      schemaAt(newFile, { properties: { file: { $ref: "attachement.schema.json" } } }),
      `${newFile}#/properties/file: $ref attachement.schema.json points at no schema of the contract`,
    ],
    [
      "a title that is taken",
      schemaAt(newFile, { title: "Attachment" }),
      `${newFile}: title "Attachment" is taken by ${attachment}; give each type a title of its own`,
    ],
    ["no title", schemaAt(newFile, { title: undefined }), `${newFile}: title is missing; it names the TypeScript type`],
    [
      "a keyword without a rule",
      schemaAt(newFile, { properties: { pair: { type: "array", prefixItems: [{}, {}] } } }),
      `${newFile}#/properties/pair: no validator knows prefixItems; say it with other keywords`,
    ],
    [
      "an $id that is not its path",
      schemaAt("task/other.schema.json", {}),
      `${newFile}: $id must end in /schemas/${newFile}`,
    ],
    [
      "enum descriptions that miss a value",
      schemaAt(newFile, { enum: ["a", "b"], "x-meanings": { a: "First." } }),
      `${newFile}: x-meanings must describe each value of enum, and nothing else`,
    ],
    [
      "a pattern that Go does not compile",
      schemaAt(newFile, { type: "string", pattern: "[\\u0000-\\u001f]" }),
      `${newFile}: pattern has \\u, which Python and Go read in another way or not at all; name the characters, or write \\x00`,
    ],
    [
      "a pattern whose end Python reads in another way",
      schemaAt(newFile, { type: "string", pattern: "^[a-z]$" }),
      `${newFile}: pattern ends in $, which in Python matches before a last line feed; put "not": { "pattern": "\\\\n" } beside it`,
    ],
    [
      "a constant that Go reads as a number",
      schemaAt(newFile, { const: "2.0" }),
      `${newFile}: const "2.0" also matches a number in Go; put "type": "string" beside it`,
    ],
    [
      "a format alone",
      schemaAt(newFile, { type: "string", format: "uuid" }),
      `${newFile}: format uuid is not checked in every language; put a pattern beside it`,
    ],
  ])("%s", (_, text, message) => {
    expect(() => readContract(edited(newFile, () => text))).toThrow(new Error(message));
  });

  test("text that is not JSON", () => {
    expect(() => readContract(edited(newFile, () => "{ title: 1 }"))).toThrow(/^task\/new-thing\.schema\.json: .*JSON/);
  });

  test("all problems at once, one per line", () => {
    const text = schemaAt(newFile, { $id: "x", title: "Attachment", properties: { a: { $ref: "b" } } });
    expect(() => readContract(edited(newFile, () => text))).toThrow(/^(task\/new-thing\.schema\.json.*\n?){3}$/);
  });

  test("a property may have the name of a refused keyword", () => {
    const text = schemaAt(newFile, { properties: { prefixItems: { type: "string" } } });
    expect(readContract(edited(newFile, () => text)).types).toHaveLength(original.types.length + 1);
  });
});

describe("inconsistent tables are refused", () => {
  test.each([
    [
      "errors.json",
      '"timeout":',
      '"time_out":',
      "errors.json: no row for timeout, which common.schema.json has as an ErrorKind",
    ],
    [
      "channels.json",
      "bus/agent-result",
      "bus/result",
      "channels.json: agent_results.message bus/result.schema.json is no schema",
    ],
    [
      "channels.json",
      '"key": "task_id"',
      '"key": "deadline"',
      "channels.json: agent_tasks.key deadline is no required member of bus/agent-task.schema.json",
    ],
    [
      "methods.json",
      "task/cancel-task-params",
      "task/cancel",
      "methods.json: cancel_task.params task/cancel.schema.json is no schema",
    ],
    [
      "methods.json",
      '"unknown_agent"',
      '"no_agent"',
      "methods.json: execute_task.errors has no_agent, which is no kind of errors.json",
    ],
  ])("%s with %s as %s", (path, from, ...[to, line]) => {
    const dir = edited(path, (text) => text.replace(from, to));
    expect(() => readContract(dir)).toThrow(line);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UsageError } from "../../program/errors.ts";
import { readCassettes } from "./read-cassettes.ts";

const good = { name: "a", messages: [{ text: "hi" }], expect: [{ exact: "ho" }] };

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "cassettes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}

test("cassettes of a folder are read in the order of their names", () => {
  const folder = folderWith({ "b.json": { ...good, name: "b" }, "a.json": good, "notes.txt": "" });
  expect(readCassettes([folder]).map(({ cassette }) => cassette.name)).toEqual(["a", "b"]);
});

test.each<[unknown, string]>([
  ["{", "x.json: it is not JSON"],
  [{ ...good, expect: undefined }, "x.json: the cassette must have required property 'expect'"],
  [{ ...good, messages: [] }, "x.json: /messages must NOT have fewer than 1 items"],
  [{ ...good, messages: [{ text: 1 }] }, "x.json: /messages/0/text must be string"],
  [{ ...good, tone: "kind" }, "x.json: /tone is not a known member."],
  [{ ...good, expect: [{ equals: "x" }] }, "x.json: /expect/0/equals is not a known member. Judgements are exact,"],
  [{ ...good, expect: [{ exact: "x", contains: ["x"] }] }, "x.json: /expect/0 must NOT have more than 1 properties"],
  [{ ...good, expect: [{ matches: "(" }] }, "x.json: /expect/0 Invalid regular expression"],
  [{ ...good, expect: [{ schema: { type: "tree" } }] }, "x.json: /expect/0 schema is invalid"],
  [{ ...good, model: [{ provider: "other" }] }, "x.json: /model/0 must have required property 'path'"],
])("%o is refused with the file and the place", (content, words) => {
  const folder = folderWith({ "x.json": content });
  expect(() => readCassettes([folder])).toThrow(UsageError);
  expect(() => readCassettes([folder])).toThrow(words);
});

test("places without cassettes are reported with what to do", () => {
  expect(() => readCassettes(["missing"])).toThrow("missing does not exist. Name cassettes or folders");
  expect(() => readCassettes([folderWith({})])).toThrow("Record one: crosszone agent dev <file>, then /save <name>.");
});

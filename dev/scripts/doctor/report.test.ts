import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { doctorEnvironment, doctorText, socketModeEnvironment } from "./report-for-test.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/operations.md"), "utf8");

/** The lines of a sick report that the operations page shows. */
const printed = /```\n(Verification zone\n[^]*?)\n```/.exec(page)?.[1] ?? "";

/** Ports, times, sizes and limits are those of a machine and of a moment; how many there are of something is another test's matter. */
const settled = (text: string): string =>
  text
    .replaceAll(/\d+ (variables|of them|scopes of the manifest|skills)/g, "N $1")
    .replaceAll(/^ {2}\S (open files|memory) .*\n( {10,}→ .*\n)*/gm, "")
    .replaceAll(/\/\S+\/(\w+)\.sqlite/g, "DIR/$1.sqlite")
    .replaceAll(/\d+ MB are free in \S+/g, "N MB are free in DIR")
    .replaceAll(/SQLite 3[\d.]+/g, "SQLite 3.N")
    .replaceAll(/up to date, \d+ steps?/g, "up to date, N steps")
    .replaceAll(/\d+ (right|to look at)/g, "N $1")
    .replaceAll(/127\.0\.0\.1( port |:)\d+/g, "127.0.0.1$1PORT")
    .replaceAll(/\d+(\.\d+)?( to \d+(\.\d+)?\))/g, "N to N)")
    .replaceAll(/\d+(\.\d+)? (ms|MB|may be open)\b/g, "N $2")
    .trimEnd();

test("a healthy configuration has exit code 0, and no line with a failure", async () => {
  const { code, text } = await doctorText(await doctorEnvironment("healthy"));
  expect(code).toBe(0);
  expect(text).not.toContain("✗");
});

test("a sick configuration has exit code 1, and the lines that the operations page shows", async () => {
  const { code, text } = await doctorText(await doctorEnvironment("sick"));
  expect(code).toBe(1);
  const lines = settled(printed).split("\n");
  expect(lines.length).toBeGreaterThan(5);
  const said = settled(text).split("\n");
  expect(lines.filter((line) => !said.includes(line))).toEqual([]);
});

test("the quickstart shows the doctor's lines about Slack for the tokens of Socket Mode", async () => {
  const quickstart = readFileSync(resolve(import.meta.dirname, "../../../docs/quickstart/slack.md"), "utf8");
  const shown = /<!-- doctor -->\n+```\n([^]*?)```/.exec(quickstart)?.[1] ?? "";
  const { text } = await doctorText(await socketModeEnvironment());
  const lines = text.split("\n").filter((line) => /^ {2}\S slack /.test(line));
  expect(lines.length).toBeGreaterThan(6);
  expect(settled(lines.join("\n"))).toBe(settled(shown));
});

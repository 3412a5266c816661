import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { executionConfig } from "@crosszone/execution";
import { readDataArgs } from "@crosszone/ops/data";
import { verificationConfig } from "@crosszone/verification";
import { expect, onTestFinished, test } from "vitest";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/durability.md"), "utf8");
const lines = [...page.matchAll(/^```\w*\n([^]*?)^```$/gm)].flatMap(([, block = ""]) => block.trim().split("\n"));

test("every data command on the page is understood", () => {
  const commands = lines.flatMap((line) => /^node dist\/data\.js (.*)$/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(4);
  const wrong = commands.filter((words) => "wrong" in readDataArgs(words.split(" ")));
  expect(wrong).toEqual([]);
});

test("every variable of the page is one", () => {
  const named = [...page.matchAll(/`([A-Z][A-Z_]{5,})`/g)].map(([, name = ""]) => name.replace(/_FILE$/, ""));
  const known = { ...verificationConfig, ...executionConfig };
  expect(named.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
});

test("the backup on the page is whole while the zone has its database open, with what is only in the log", () => {
  const command = lines.find((line) => line.includes("vacuum into")) ?? "";
  const folder = mkdtempSync(join(tmpdir(), "crosszone-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const zone = new DatabaseSync(join(folder, "verification.sqlite"));
  onTestFinished(() => zone.close());
  zone.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table note (text)");
  zone.exec("insert into note values ('kept')");
  // As a shell runs it, with this Node.
  const node = command.replace(/^node /, `'${process.execPath}' --disable-warning=ExperimentalWarning `);
  expect(execFileSync("sh", ["-c", node], { cwd: folder, encoding: "utf8" })).toBe("");
  const copy = new DatabaseSync(join(folder, "verification.backup.sqlite"), { readOnly: true });
  onTestFinished(() => copy.close());
  expect(copy.prepare("select text from note").all()).toEqual([{ text: "kept" }]);
});

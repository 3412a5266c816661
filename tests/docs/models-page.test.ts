import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defaultModelIds, failureReasons } from "@crosszone/assistant";
import { executionConfig, loadExecutionConfig } from "@crosszone/execution";
import { variablesOf } from "@crosszone/service-kit";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/models.md"), "utf8");
/** The first cell, or the second, of each row of a table. */
const cells = (column: number): string[] =>
  page.split("\n").flatMap((line) => (line.startsWith("|") ? [line.split("|")[column]?.trim() ?? ""] : []));

test("the page explains each failure of a model", () => {
  const explained = cells(1).flatMap((cell) => (/^`[a-z_]+`$/.test(cell) ? [cell.slice(1, -1)] : []));
  expect(explained.toSorted()).toEqual([...failureReasons].toSorted());
});

test("the page names the default models and the bounds that variables set", () => {
  for (const id of Object.values(defaultModelIds)) expect(page).toContain(`\`${id}\``);
  const bounds = variablesOf(executionConfig).filter(([name]) => /MODEL_/.test(name));
  for (const [name, entry] of bounds) {
    const row = page.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``)) ?? "";
    const shown = /\| ([\d,]+)( s)? +\|/.exec(row);
    const value = Number(shown?.[1]?.replace(",", "")) * (shown?.[2] === undefined ? 1 : 1_000);
    expect(`${name} ${value}`).toBe(`${name} ${String(entry.schema.parse(entry.default))}`);
  }
});

test("the zone takes the ASSISTANT_FILE of the page, and not without the keys of its models", () => {
  const folder = mkdtempSync(join(tmpdir(), "models-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ASSISTANT_FILE = join(folder, "assistant.json");
  writeFileSync(ASSISTANT_FILE, /```json\n(\{\n {2}"instructions".*?)```/s.exec(page)?.[1] ?? "");
  const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", MODEL: "anthropic/claude-sonnet-4-6" };
  const budget = { BUDGETS: "team/day=5usd" };
  expect(loadExecutionConfig({ ASSISTANT_FILE, ...keys, ...budget }).values.ASSISTANT_FILE).toBe(ASSISTANT_FILE);
  expect(() => loadExecutionConfig({ ASSISTANT_FILE, ...keys, OPENAI_API_KEY: "" })).toThrow(/needs OPENAI_API_KEY/);
});

test("pages name this project's doctor, and not pnpm's own, which `pnpm doctor` without `run` starts", () => {
  for (const name of globSync("docs/**/*.md", { cwd: root })) {
    const found = /pnpm@[\d.]+ doctor\b.*/.exec(readFileSync(resolve(root, name), "utf8"))?.[0];
    expect({ name, found }).toEqual({ name, found: undefined });
  }
});

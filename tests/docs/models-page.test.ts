import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defaultModelIds, failureReasons } from "@crosszone/assistant";
import { executionConfig } from "@crosszone/execution";
import type { ConfigEntry } from "@crosszone/service-kit";
import { expect, test } from "vitest";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/models.md"), "utf8");
/** The first cell, or the second, of each row of a table. */
const cells = (column: number): string[] =>
  page.split("\n").flatMap((line) => (line.startsWith("|") ? [line.split("|")[column]?.trim() ?? ""] : []));

test("the page explains each failure of a model", () => {
  const explained = cells(1).flatMap((cell) => (/^`[a-z_]+`$/.test(cell) ? [cell.slice(1, -1)] : []));
  expect(explained.toSorted()).toEqual([...failureReasons].toSorted());
});

test("the page names the default models and the bounds that variables set", () => {
  for (const id of Object.values(defaultModelIds)) expect(page).toContain(`\`${id}\``);
  const bounds = Object.entries<ConfigEntry>(executionConfig).filter(([name]) => name.startsWith("MODEL_"));
  for (const [name, entry] of bounds) {
    const row = page.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``)) ?? "";
    const shown = /\| ([\d,]+)( s)? +\|/.exec(row);
    const value = Number(shown?.[1]?.replace(",", "")) * (shown?.[2] === undefined ? 1 : 1_000);
    expect(`${name} ${value}`).toBe(`${name} ${entry.default}`);
  }
});

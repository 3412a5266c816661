import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { METHOD_TABLE } from "./method-table.ts";

test("the README names every method that the local Slack has, and no other", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| (.*?) *\|$/gm)];
  const named = rows.flatMap(([, family, cell = ""]) =>
    [...cell.matchAll(/`([\w.]+)`/g)].map(([, method]) => `${family}.${method}`),
  );
  expect(named.toSorted()).toEqual([...METHOD_TABLE.keys()].toSorted());
});

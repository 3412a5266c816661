// suite: rest
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { measureWay, summarize } from "./measure.ts";

/** What a question can't do without: fewer means that the recorder missed something. */
const least: Readonly<Record<string, number>> = {
  files: 30,
  writes: 6,
  tables: 3,
  "verification statements": 4,
  "verification commits": 3,
  "execution statements": 2,
  "execution commits": 1,
};

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/layout.md"), "utf8");

/** The functions that a section of the page says one opens, with their files. */
function stopsOf(heading: string): { readonly name: string; readonly path: string }[] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = Array.from(section.matchAll(/^- `([\w/-]+\.ts)`: (.*)$/gm));
  return rows.flatMap(([, path = "", names = ""]) => (names.match(/\w+(?=`)/g) ?? []).map((name) => ({ name, path })));
}

test("one question to an HTTP agent takes no more than its limits, and passes every stop that the page names", async () => {
  const way = await measureWay();
  const figures = summarize(way);
  expect(figures.map(({ name }) => name)).toEqual(Object.keys(least));
  expect(figures.filter(({ found, limit }) => found > limit)).toEqual([]);
  expect(figures.filter(({ name, found }) => found < (least[name] ?? 0))).toEqual([]);
  for (const heading of ["The way of a question", "The way of an agent call"]) {
    const named = stopsOf(heading);
    expect([heading, named.length > 20]).toEqual([heading, true]);
    const isPassed = ({ name, path }: { name: string; path: string }): boolean => {
      const text = way.passed.includes(path) ? readFileSync(resolve(root, path), "utf8") : "";
      return new RegExp(`(function|class) ${name}\\b|^  (async )?#?${name}\\(`, "m").test(text);
    };
    expect(named.filter((stop) => !isPassed(stop))).toEqual([]);
  }
});

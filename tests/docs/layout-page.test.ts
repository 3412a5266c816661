import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/layout.md"), "utf8");

/** The names of the page with their files: `name` in `file.ts`, or a line of a list, or of a table, that begins with one of the two. */
function namedOnPage(): { readonly name: string; readonly path: string }[] {
  const told = Array.from(page.matchAll(/`(\w+)`\s+in\s+`([^`]+\.ts)`/g), ([, name = "", path = ""]) => ({
    name,
    path,
  }));
  const rows = page.split("\n").filter((line) => /^(- `[^`]+\/[^`]+`: `|\| `[^`]+` +\| `)/.test(line));
  const listed = rows.flatMap((row) => {
    const found = [...row.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
    const path = found.find((word) => word.includes("/") && !/\s/.test(word)) ?? "";
    return found.filter((word) => word !== path).map((name) => ({ name, path }));
  });
  return [...told, ...listed].filter(({ path }) => path.endsWith(".ts"));
}

test("each function that the page names is in its file", () => {
  const named = namedOnPage();
  expect(named.length).toBeGreaterThan(70);
  const isThere = ({ name, path }: { name: string; path: string }): boolean =>
    new RegExp(`\\b(function|class|const|interface|type) ${name}\\b|^  (async )?#?${name}\\(`, "m").test(
      readFileSync(resolve(root, path), "utf8"),
    );
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

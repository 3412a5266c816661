import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/layout.md"), "utf8");
const sections = new Map(page.split(/^## /m).map((text) => [text.slice(0, text.indexOf("\n")), text]));

const words = (text = ""): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
const isPath = (word: string): boolean => word.includes("/") && !/\s/.test(word);

/** The names of a section with their files: `name` in `file.ts`, or a line of a list, or of a table, that begins with one of the two. */
function namedIn(section: string): { readonly name: string; readonly path: string }[] {
  const text = sections.get(section) ?? "";
  const told = Array.from(text.matchAll(/`(\w+)`\s+in\s+`([^`]+\.ts)`/g), ([, name = "", path = ""]) => ({
    name,
    path,
  }));
  const rows = text.split("\n").filter((line) => /^(- `[^`]+`: `|\| `[^`]+` +\| `)/.test(line));
  const listed = rows.flatMap((row) => {
    const found = words(row);
    const path = found.find(isPath) ?? "";
    return found.filter((word) => word !== path).map((name) => ({ name, path }));
  });
  return [...told, ...listed];
}

/** Returns whether a file has a function, a method, a table or a type of a name. */
const has = (path: string, name: string): boolean =>
  new RegExp(`\\b(function|class|const|interface|type) ${name}\\b|^  (async )?#?${name}\\(`, "m").test(
    readFileSync(resolve(root, path), "utf8"),
  );

test("each path on the page exists", () => {
  const paths = words(page).filter(isPath);
  expect(paths.length).toBeGreaterThan(90);
  expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});

test.each([
  ["Where would I add …?", 9],
  ["Who calls this?", 7],
  ["The way of a question", 70],
  ["The way of an agent call", 20],
  ["The way of a run", 15],
  ["The forms of a question", 28],
])("each name in “%s” is in its file", (section, least) => {
  const named = namedIn(section);
  expect(named.length).toBeGreaterThanOrEqual(least);
  expect(named.filter(({ path, name }) => !has(path, name))).toEqual([]);
});

test.each([
  ["verification", "apps/verification/src"],
  ["execution", "apps/execution/src"],
])("the rooms of %s are in their order, each with its face", (zone, src) => {
  const text = sections.get("What may I import here?") ?? "";
  const rows = [...text.matchAll(/^- `(\w+)` \(`([^`]+)`\)/gm)].filter(([, , face = ""]) => face.startsWith(src));
  const orders = readFileSync(resolve(root, "dev/scripts/structure/folder-order.ts"), "utf8");
  const [, order = ""] = new RegExp(`"${src}":\\s+"([^"]+)"`).exec(orders) ?? [];
  const rooms = order.split(" ").filter((place) => !place.endsWith(".ts") && place !== "generated");
  expect([zone, rows.map(([, room]) => room)]).toEqual([zone, rooms]);
  for (const [, room, face] of rows) expect(face).toContain(`/${room}/`);
});

test("a mention passes at most a hundred functions to its answer, thirty of them in an agent call", () => {
  const count = (section: string): number => namedIn(section).length;
  const call = count("The way of an agent call");
  expect(call).toBeLessThanOrEqual(30);
  expect(count("The way of a question") + call).toBeLessThanOrEqual(100);
  const forms = (sections.get("The forms of a question") ?? "").split(/^(?:Down|Up), /m).slice(1);
  expect(forms.map((part) => (part.match(/^- `/gm) ?? []).length)).toEqual([18, 10]);
});

test("the seven functions of the first hour are in the files that CONTRIBUTING names", () => {
  const contributing = readFileSync(resolve(root, "CONTRIBUTING.md"), "utf8");
  const [, hour = ""] = contributing.split("**Follow it by name**");
  const steps = Array.from(hour.split("**Change")[0]?.matchAll(/`(\w+)`[^`]*\(`([^`]+\.ts)`\)/g) ?? []);
  expect(steps).toHaveLength(7);
  expect(steps.filter(([, name = "", path = ""]) => !has(path, name))).toEqual([]);
});

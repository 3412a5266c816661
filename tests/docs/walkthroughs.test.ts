import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { applyDiff, walkthroughOf } from "../harness/read-page.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "CONTRIBUTING.md"), "utf8");
const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
const walkthroughs = headings.filter((heading) => {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  return /^ *```\w+ (?:file|run)/m.test(section.split(/^## /m)[0] ?? "");
});

// `tests/full/walkthroughs.test.ts` follows them.
test("the page has walkthroughs", () => {
  expect(walkthroughs).toContain("Add a step type");
});

test.each(walkthroughs)("each change of the walkthrough fits its file, and each new file is new: %s", (heading) => {
  const files = new Map<string, string>();
  const existing: string[] = [];
  for (const step of walkthroughOf(page, heading)) {
    if (step.kind === "run") continue;
    const { kind, path, text } = step;
    const file = resolve(root, path);
    if (kind === "write" && (existsSync(file) || files.has(path))) existing.push(path);
    const before = (): string => files.get(path) ?? readFileSync(file, "utf8");
    files.set(path, kind === "write" ? text : applyDiff(before(), text));
  }
  expect(files.size).toBeGreaterThan(0);
  expect(existing).toEqual([]);
});

test("a change that fits nowhere, or in two places, is refused", () => {
  expect(applyDiff("a\nb\nc\n", " a\n+x\n@@\n-c\n")).toBe("a\nx\nb\n");
  expect(() => applyDiff("a\nb\n", " c\n+x\n")).toThrow("No place");
  expect(() => applyDiff("a\na\n", " a\n+x\n")).toThrow("More than one place");
});

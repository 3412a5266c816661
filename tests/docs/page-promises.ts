import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Tests that a part of a page has at least `least` promises, and that each names tests that exist. */
export function testPromises(markdown: string, least: number): void {
  const promises = promisesOf(markdown);

  test("the page has promises, and each has a test", () => {
    expect(promises.length).toBeGreaterThanOrEqual(least);
    const unproven = promises.filter(({ tests }) => tests.length === 0).map(({ text }) => text);
    expect(unproven, "Name a test below each of these promises, as `path`.").toEqual([]);
  });

  test.each(promises)("the tests exist that prove: $text", ({ tests }) => {
    const isTest = (file: string): boolean => /\.(test|contract)\.ts$/.test(file) && existsSync(resolve(root, file));
    expect(tests.filter((file) => !isTest(file))).toEqual([]);
  });
}

/** Returns the items of all lists, each on one line, with the test files that its sub-item names. */
function promisesOf(markdown: string): { readonly text: string; readonly tests: readonly string[] }[] {
  return [...markdown.matchAll(/^- ([^]*?)(?=\n- |\n\n|\n## )/gm)].map(([, item = ""]) => {
    const [text = "", tests = ""] = item.split("\n  - ");
    return {
      text: text.replaceAll(/\s+/g, " "),
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
    };
  });
}

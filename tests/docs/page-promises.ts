import { existsSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** A promise of a page, on one line, and the files of its tests. */
export interface PagePromise {
  readonly text: string;
  readonly tests: readonly string[];
}

/** Returns the items of all lists, each with the test files that its sub-item names. */
export function promisesOf(markdown: string): PagePromise[] {
  return [...markdown.matchAll(/^- ([^]*?)(?=\n- |\n\n|\n## )/gm)].map(([, item = ""]) => {
    const [text = "", tests = ""] = item.split("\n  - ");
    return {
      text: text.replaceAll(/\s+/g, " "),
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
    };
  });
}

/** Returns the files of a promise that don't exist or aren't tests. */
export const goneTests = ({ tests }: PagePromise): readonly string[] =>
  tests.filter((file) => !/\.(test|contract)\.ts$/.test(file) || !existsSync(resolve(root, file)));

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** A promise of a page, on one line, and its tests. */
export interface PagePromise {
  readonly text: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** Returns the items of all lists whose sub-items are tests, each a file and a title. */
export function promisesOf(markdown: string): PagePromise[] {
  return [...markdown.matchAll(/^- ([^]*?)(?=\n- |\n\n|\n## )/gm)].map(([, item = ""]) => {
    const [text = "", ...tests] = item.split("\n  - ");
    return {
      text: text.replaceAll(/\s+/g, " "),
      tests: tests.map((line) => {
        const [, file = "", title = ""] = /^`([^`]+)`: ([^]+)$/.exec(line) ?? [];
        return { file, title: title.replaceAll(/\s+/g, " ").trim() };
      }),
    };
  });
}

/** Returns the tests of a promise that don't exist by their exact title. */
export const goneTests = ({ tests }: PagePromise): PagePromise["tests"] =>
  tests.filter(
    ({ file, title }) => !existsSync(resolve(root, file)) || !hasText(readFileSync(resolve(root, file), "utf8"), title),
  );

/** Returns whether a source has this text between quotes. */
const hasText = (source: string, text: string): boolean =>
  [JSON.stringify(text), `'${text}'`, `\`${text}\``].some((literal) => source.includes(literal));

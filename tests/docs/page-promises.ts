import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** A promise of a page, on one line, and the tests below it. */
export interface PagePromise {
  readonly text: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** The items of all lists of a text whose sub-items are tests, as a file and its title. */
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

/** Those of a promise's tests that are not there, by their exact title. */
export const goneTests = ({ tests }: PagePromise): PagePromise["tests"] =>
  tests.filter(
    ({ file, title }) => !existsSync(resolve(root, file)) || !hasText(readFileSync(resolve(root, file), "utf8"), title),
  );

/** Whether a source has this text between quotes, word for word. */
const hasText = (source: string, text: string): boolean =>
  [JSON.stringify(text), `'${text}'`, `\`${text}\``].some((literal) => source.includes(literal));

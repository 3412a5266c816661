import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { format } from "prettier";

/**
 * Writes the generated parts of a page in `docs/`, each between a comment that begins with its name and `<!-- end -->`. Throws if the page
 * has no such place. `script` is the path of the script that writes them, which the comment names.
 */
export async function writeGeneratedParts(
  page: string,
  { script, parts }: { readonly script: string; readonly parts: Readonly<Record<string, string>> },
): Promise<void> {
  const path = resolve(import.meta.dirname, "../../docs", page);
  let text = readFileSync(path, "utf8");
  for (const [name, markdown] of Object.entries(parts)) {
    const place = new RegExp(`<!-- ${name}:[^>]*-->[^]*?<!-- end -->`);
    if (!place.test(text)) throw new Error(`docs/${page} has no place for "${name}".`);
    const notice = `<!-- ${name}: written by ${script}, do not edit -->`;
    text = text.replace(place, () => `${notice}\n\n${markdown}\n\n<!-- end -->`);
  }
  writeFileSync(path, await format(text, { parser: "markdown", printWidth: 120 }));
}

/** Renders a table in Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

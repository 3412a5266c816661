/** Returns the cells of the first table after a comment such as `<!-- fields: a.json -->`, without its heading. */
export function rowsAfter(markdown: string, comment: string): readonly (readonly string[])[] {
  const [, after = ""] = markdown.split(`<!-- ${comment} -->\n`);
  const [table = ""] = /(?:^\|.*\n)+/m.exec(after) ?? [];
  return table.trim().split("\n").slice(2).map(cellsOf);
}

const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

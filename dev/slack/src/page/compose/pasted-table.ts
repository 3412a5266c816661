const mostRows = 100;
const mostColumns = 20;

/** Returns the rows of a table in the clipboard: of a web page or a spreadsheet, or a Markdown table. Undefined if there is more than a table. */
export function pastedTable(clipboard: Pick<DataTransfer, "getData">): string[][] | undefined {
  const page = new DOMParser().parseFromString(clipboard.getData("text/html"), "text/html");
  const table = page.querySelector("table");
  const bare = (node: Element | null): string => (node?.textContent ?? "").replaceAll(/\s/g, "");
  if (!table || bare(page.body) !== bare(table)) return tableOf(clipboard.getData("text/plain"));
  return checked([...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
}

/** Returns the rows of a text that is only a table: lines with tabs, or Markdown. */
function tableOf(text: string): string[][] | undefined {
  const lines = text.trim().split(/\r?\n/);
  if (!lines.every((line) => /^\s*\|.*\|\s*$/.test(line)))
    return lines.every((line) => line.includes("\t")) ? checked(lines.map((line) => line.split("\t"))) : undefined;
  const [head, rule = [], ...rows] = lines.map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
  return head && rule.every((cell) => /^:?-+:?$/.test(cell)) ? checked([head, ...rows]) : undefined;
}

/** Refuses what Slack's composer takes as text. */
function checked(rows: string[][]): string[][] | undefined {
  const columns = rows[0]?.length ?? 0;
  const isTable = rows.length > 1 && columns > 1 && rows.every((row) => row.length === columns);
  return isTable && rows.length <= mostRows && columns <= mostColumns ? rows : undefined;
}

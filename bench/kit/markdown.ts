/** A column of a table: its header, and the text of its cell in a row. */
type Column<Row> = readonly [header: string, cell: (row: Row) => string];

/** A Markdown table that is readable as plain text too: columns padded, numbers to the right. */
function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const texts = columns.map(([header, cell]) => [header, ...rows.map(cell)]);
  const widths = texts.map((cells) => Math.max(3, ...cells.map(({ length }) => length)));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const [header = "", ...body] = [undefined, ...rows].map((_, at) =>
    line(texts.map((cells, column) => pad(cells[at] ?? "", column, widths[column] ?? 0))),
  );
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [header, line(rule), ...body].join("\n");
}

const pad = (text: string, column: number, width: number): string =>
  column === 0 ? text.padEnd(width) : text.padStart(width);

interface TableSection<Row> {
  readonly title: string;
  readonly text?: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}

/** A heading, a text and a table; nothing when the table has no rows. */
export const tableSection = <Row>({ title, text = "", rows, columns }: TableSection<Row>): string =>
  rows.length === 0 ? "" : paragraphs(`### ${title}`, text, table(rows, columns));

/** Parts of a page; empty ones are left out. */
export const paragraphs = (...parts: readonly string[]): string => parts.filter(Boolean).join("\n\n");

/** A number with that many decimal places; nothing when it was not measured. */
export const fixed = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? "";

/** `1,000,000`. */
export const grouped = (value: number): string => value.toLocaleString("en-US");

export const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0);

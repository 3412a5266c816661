/** A database row. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Opens and seals the sealed text of a column. */
export interface Sealer {
  /** Prefix of text sealed with the current key. */
  readonly prefix: string;
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** Content of a column for an export: JSON as text; JSON that may be sealed; a secret, which is never exported. */
export type ColumnContent = "json" | "record" | "secret";

/** A table whose rows each belong to one owner, such as a Slack team. */
export interface OwnedTable {
  readonly name: string;
  /** The owner column. It has the owner's id, or the result of `ownerValue`, such as a digest. */
  readonly owner: string;
  readonly ownerValue?: (id: string) => string;
  /** The columns that identify a row. */
  readonly key: readonly [string, ...string[]];
  /** Description of the rows for people: `questions that wait or are being answered`. */
  readonly holds: string;
  /** The columns with content other than text or numbers. */
  readonly content?: Readonly<Record<string, ColumnContent>>;
  /** The columns that may be sealed, and the context of each row's sealing. */
  readonly sealed?: Readonly<Record<string, (row: Row) => string>>;
}

/** Returns the value of a table's owner column for an owner. */
export const ownerValueOf = ({ ownerValue = (same) => same }: OwnedTable, id: string): string => ownerValue(id);

/** A row for an export: without its secrets, whose columns are listed instead. */
export interface PresentedRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly left_out: readonly string[];
}

const sealedForm = /^v\d+\.[\w-]+\.[\w-]+$/;

/**
 * Unseals and parses the columns that may be shown. Sealed text in a column that is not declared as a record is a secret, and so is text
 * that can't be opened.
 */
export function presentRow(table: OwnedTable, row: Row, sealer: Sealer | undefined): PresentedRow {
  const shown: Record<string, unknown> = {};
  const leftOut: string[] = [];
  for (const [column, value] of Object.entries(row)) {
    const content = table.content?.[column];
    const text = content === "record" ? opened({ table, column, row }, sealer) : value;
    const isSecret = content === "secret" ? text !== null : typeof text === "string" && sealedForm.test(text);
    if (isSecret) leftOut.push(column);
    else shown[column] = content !== undefined && typeof text === "string" ? (JSON.parse(text) as unknown) : text;
  }
  return { row: shown, left_out: leftOut };
}

function opened(
  { table, column, row }: { readonly table: OwnedTable; readonly column: string; readonly row: Row },
  sealer: Sealer | undefined,
): Row[string] {
  const value = row[column] ?? null;
  const context = table.sealed?.[column];
  if (sealer === undefined || context === undefined || typeof value !== "string" || !sealedForm.test(value))
    return value;
  try {
    return sealer.open(value, context(row));
  } catch {
    return value;
  }
}

import type { OwnedTable, Row, Sealer } from "./owned-table.ts";

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

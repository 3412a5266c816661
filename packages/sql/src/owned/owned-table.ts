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

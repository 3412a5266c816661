/** A row as it comes from the database. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Opens what is sealed in a column, and seals it again. */
export interface Sealer {
  /** How everything starts that is sealed with the key of today. */
  readonly prefix: string;
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** What is in a column, for whoever exports it: JSON as text; JSON that may be sealed; a secret, which is never exported. */
export type ColumnContent = "json" | "record" | "secret";

/** A table in which every row belongs to one owner, such as a Slack team. */
export interface OwnedTable {
  readonly name: string;
  /** The column that tells whose a row is: by the owner's id, or by what `ownerValue` makes of it, such as its digest. */
  readonly owner: string;
  readonly ownerValue?: (id: string) => string;
  /** The columns that tell rows apart. */
  readonly key: readonly [string, ...string[]];
  /** What the rows are, for people: `questions that wait or are being answered`. */
  readonly holds: string;
  /** The columns whose content is more than text or a number. */
  readonly content?: Readonly<Record<string, ColumnContent>>;
  /** The columns that may be sealed, with the context that each row's was sealed in. */
  readonly sealed?: Readonly<Record<string, (row: Row) => string>>;
}

/** What stands in a table's owner column for an owner. */
export const ownerValueOf = ({ ownerValue = (same) => same }: OwnedTable, id: string): string => ownerValue(id);

import { hash } from "node:crypto";

/** The type of a column in written rows. Text can't contain U+0000 or half a surrogate pair, except as JSON. */
export type ColumnKind = "text" | "bigint";

/** Makes external text storable: PostgreSQL refuses U+0000, and both engines half a surrogate pair. */
export const columnText = (text: string): string => text.toWellFormed().replaceAll("\0", "\u{fffd}");

/**
 * Throws for values that one of the engines would not store as they are: text with U+0000 or half a surrogate pair (JSON within text can
 * contain both, escaped), and `undefined`, which would become null.
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === undefined) throw new TypeError("a parameter is undefined: use null");
    if (Array.isArray(value)) checkParameters(value);
    if (typeof value !== "string") continue;
    if (value.includes("\0"))
      throw new TypeError("a text parameter contains U+0000: store it as JSON or as its SHA-256");
    if (!value.isWellFormed())
      throw new TypeError("a text parameter contains half a surrogate pair: store it as JSON or as its SHA-256");
  }
}

/** Throws for objects, and for arrays with objects in them. */
export function refuseObjects(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (Array.isArray(value)) refuseObjects(value);
    else refuseObject(value);
  }
}

export function refuseObject(value: unknown): void {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
    throw new TypeError("a parameter is an object: use text, a number, a bigint, bytes or null");
}

const preparedNames = new Map<string, string>();

/**
 * Makes each connection parse a statement only once, because parsing costs as much as running it. Only for a fixed set of texts, because
 * none is ever forgotten.
 */
export function prepare(text: string): string {
  // PostgreSQL truncates names to 63 bytes.
  const name = preparedNames.get(text) ?? hash("sha256", text, "base64url");
  preparedNames.set(text, name);
  return name;
}

/** Returns the name of a prepared statement; undefined for other texts. */
export const preparedName = (text: string): string | undefined => preparedNames.get(text);

export type WriteRow<Column extends string> = Readonly<Record<Column, string | number | null>>;

/** One statement that writes many rows, for both engines; made by `writeStatement`. */
export interface WriteStatement<Column extends string> {
  readonly columns: readonly Column[];
  readonly key: Column;
  /** Takes the columns of one row. */
  readonly sqlite: string;
  /** Takes an array of each column; returns the keys of the rows that changed. */
  readonly postgres: { readonly name: string; readonly text: string };
}

/** Returns PostgreSQL's table expression, named `new`, for rows in an array of each column. */
export function unnested(columns: Readonly<Record<string, ColumnKind>>): string {
  const arrays = Object.values(columns).map((kind, index) => `$${index + 1}::${kind}[]`);
  return `unnest(${arrays.join(", ")}) as new(${Object.keys(columns).join(", ")})`;
}

/**
 * Describes how rows are written. `text` gets `rows`, a table expression named `new` with the columns, and returns a statement such as
 * `insert into task (id) select id from ${rows} where true on conflict do nothing` or `update task set state = new.state from ${rows} where
 * task.id = new.id`. One row changes at most one row of `table`, the one whose `key` it has.
 */
export function writeStatement<Column extends string>({
  table,
  key,
  columns,
  text,
  postgresText = (rows) => `${text(rows)} returning ${table}.${key}`,
  locksInOrder = false,
}: {
  readonly table: string;
  readonly key: NoInfer<Column>;
  readonly columns: Readonly<Record<Column, ColumnKind>>;
  readonly text: (rows: string) => string;
  /**
   * The whole statement on PostgreSQL, for one that does more; its first column is the key of each row that changed something.
   * `unlocked` are the rows without `locksInOrder`.
   */
  readonly postgresText?: (rows: string, unlocked: string) => string;
  /**
   * For rows that another statement writes at the same time. PostgreSQL locks them in key order before it changes any, whatever its plan.
   * Otherwise it aborts one of two statements that wait for each other, after a second.
   */
  readonly locksInOrder?: boolean;
}): WriteStatement<Column> {
  const names = Object.keys(columns) as Column[];
  const rows = unnested(columns);
  const locked = `(select new.* from ${rows} join ${table} on ${table}.${key} = new.${key}
    order by new.${key} collate "C" for update of ${table}) as new`;
  const postgres = postgresText(locksInOrder ? locked : rows, rows);
  return {
    columns: names,
    key,
    sqlite: text(`(select ${names.map((name) => `? as ${name}`).join(", ")}) as new`),
    postgres: { name: prepare(postgres), text: postgres },
  };
}

import { CompiledQuery, type Kysely } from "kysely";
import { type ColumnKind, prepare, type WriteRow } from "./write-statement.ts";
import type { Engine } from "./database.ts";

/** Runs the statement for all rows in order and returns its results. */
export interface RowsStatement<Column extends string> {
  <Answer>(
    db: Pick<Kysely<unknown>, "executeQuery">,
    engine: Engine,
    rows: readonly WriteRow<Column>[],
  ): Promise<readonly Answer[]>;
  /** Returns the statement for `Database.batch`, for a few rows. */
  readonly query: (engine: Engine, rows: readonly WriteRow<Column>[]) => CompiledQuery;
}

/**
 * Creates a statement for any number of rows, in a transaction or not, for writes of every request. `text` receives `rows`, a table
 * expression named `new` with the columns. The first column is never null. Texts are created once for each size and rows are bound
 * directly, a third of the cost of `rowsFromJson`. Very many rows are split into statements of at most 32,766 values each.
 */
export function rowsStatement<Column extends string>({
  columns,
  text,
}: {
  readonly columns: Readonly<Record<Column, ColumnKind>>;
  readonly text: (rows: string, engine: Engine) => string;
}): RowsStatement<Column> {
  const names = Object.keys(columns) as Column[];
  const arrays = names.map((name, index) => `$${index + 1}::${columns[name]}[]`);
  const postgres = text(`unnest(${arrays.join(", ")}) as new(${names.join(", ")})`, "postgres");
  prepare(postgres);
  const most = mostRows(names.length);
  const ofSize = new Map<number, string>();

  function sqlite(size: number): string {
    const known = ofSize.get(size);
    if (known !== undefined) return known;
    const row = `(${names.map(() => "?").join(", ")})`;
    const named = names.map((name, index) => `column${index + 1} as ${name}`);
    const values = Array.from({ length: size }, () => row).join(", ");
    const made = text(
      `(select ${named.join(", ")} from (values ${values}) where column1 is not null) as new`,
      "sqlite",
    );
    ofSize.set(size, made);
    return made;
  }

  function queryOf(engine: Engine, rows: readonly WriteRow<Column>[]): CompiledQuery {
    if (engine === "postgres")
      return CompiledQuery.raw(
        postgres,
        names.map((name) => rows.map((row) => row[name])),
      );
    // Sizes are padded with nulls to a power of two, to limit the number of statements.
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, rows.length)));
    const parameters: unknown[] = [];
    for (const row of rows) for (const name of names) parameters.push(row[name]);
    while (parameters.length < size * names.length) parameters.push(null);
    return CompiledQuery.raw(sqlite(size), parameters);
  }

  const run = async <Answer>(
    db: Pick<Kysely<unknown>, "executeQuery">,
    engine: Engine,
    rows: readonly WriteRow<Column>[],
  ): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (let at = 0; at < rows.length; at += most) {
      const { rows: some } = await db.executeQuery(queryOf(engine, rows.slice(at, at + most)));
      answers.push(...(some as Answer[]));
    }
    return answers;
  };
  return Object.assign(run, { query: queryOf });
}

/** Returns the maximum number of rows in one statement: SQLite allows 32,766 parameters. https://www.sqlite.org/limits.html */
export const mostRows = (columns: number): number => 2 ** Math.floor(Math.log2(32_766 / columns));

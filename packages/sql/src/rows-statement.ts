import { CompiledQuery, type Kysely } from "kysely";
import type { ColumnKind } from "./column-kind.ts";
import type { Engine } from "./database.ts";
import { prepare } from "./postgres/prepared.ts";
import type { WriteRow } from "./write-statement.ts";

/** Runs it for all rows, in their order, and gives what it answers. */
export type RowsStatement<Column extends string> = <Answer>(
  db: Pick<Kysely<unknown>, "executeQuery">,
  engine: Engine,
  rows: readonly WriteRow<Column>[],
) => Promise<readonly Answer[]>;

/**
 * One statement for however many rows, in a transaction or not, for what is done at every request: `text` is given `rows`, a table
 * expression named `new` that has the columns, and answers what it likes. The first column is never null. Its texts are few and are
 * made once, and rows are bound as they are: that costs a third of what `rowsFromJson` does. Very many rows are several statements,
 * of 32,766 values each at the most.
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
    // What is missing to a power of two is null: each size is a statement of its own.
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, rows.length)));
    const parameters: unknown[] = [];
    for (const row of rows) for (const name of names) parameters.push(row[name]);
    while (parameters.length < size * names.length) parameters.push(null);
    return CompiledQuery.raw(sqlite(size), parameters);
  }

  return async <Answer>(
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
}

/** So many rows of so many columns are one statement at most: SQLite takes 32,766 parameters. https://www.sqlite.org/limits.html */
export const mostRows = (columns: number): number => 2 ** Math.floor(Math.log2(32_766 / columns));

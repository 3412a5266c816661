import { CompiledQuery } from "kysely";
import type { WrittenWith } from "../query/database.ts";
import type { LimitedPool } from "./limited-pool.ts";
import type { WriteRow, WriteStatement } from "../query/write-statement.ts";

/**
 * Writes rows in one statement, which is its own transaction. Returns for each row whether it changed something. The statement is named, so
 * that a connection plans it once.
 */
export async function writeRows<Column extends string>(
  pool: Pick<LimitedPool, "query">,
  statement: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): Promise<boolean[]> {
  const run: RunWrite = async (values) => {
    const { rows: keys } = await pool.query({ ...statement.postgres, values, rowMode: "array" });
    return keys.map(([value]) => value);
  };
  return writeBy(run, statement, rows);
}

/** Writes rows and runs other statements in one transaction and one round trip. */
export async function writeRowsWith<Column extends string>(
  pool: Pick<LimitedPool, "batch" | "query">,
  { statement, rows }: { readonly statement: WriteStatement<Column>; readonly rows: readonly WriteRow<Column>[] },
  others: readonly CompiledQuery[],
): Promise<WrittenWith> {
  const { postgres, key } = statement;
  let results: WrittenWith["results"] | undefined;
  const run: RunWrite = async (values) => {
    const [written, ...rest] = await pool.batch([CompiledQuery.raw(postgres.text, values), ...(results ? [] : others)]);
    results ??= rest;
    return (written?.rows ?? []).map((row) => (row as Record<string, unknown>)[key]);
  };
  const changed = await writeBy(run, statement, rows);
  return { changed, results: results ?? [] };
}

/** Runs a statement with an array of each column. Resolves with the keys of the rows that changed something. */
type RunWrite = (values: unknown[][]) => Promise<readonly unknown[]>;

async function writeBy<Column extends string>(
  run: RunWrite,
  { columns, key }: Pick<WriteStatement<Column>, "columns" | "key">,
  rows: readonly WriteRow<Column>[],
): Promise<boolean[]> {
  const firsts = new Map<unknown, number>();
  rows.forEach((row, index) => firsts.has(row[key]) || firsts.set(row[key], index));
  // In key order: PostgreSQL aborts one of two statements that lock the same rows in different orders.
  const now = [...firsts.values()].map((index) => rows[index] as WriteRow<Column>).toSorted(byColumn(key));
  const values = columns.map((name) => now.map((row) => row[name]));
  const done = new Set(await run(values));
  const changed = rows.map((row, index) => firsts.get(row[key]) === index && done.has(row[key]));
  if (now.length === rows.length) return changed;

  // Of several rows with the same key, one statement would write an arbitrary one, so later ones are written after it.
  const later = rows.flatMap((row, index) => (firsts.get(row[key]) === index ? [] : [index]));
  const afterwards = await writeBy(
    run,
    { columns, key },
    later.map((index) => rows[index] as WriteRow<Column>),
  );
  later.forEach((index, at) => (changed[index] = afterwards[at] ?? false));
  return changed;
}

function byColumn<Column extends string>(name: Column): (a: WriteRow<Column>, b: WriteRow<Column>) => number {
  return ({ [name]: a }, { [name]: b }) => Number((a ?? "") > (b ?? "")) - Number((a ?? "") < (b ?? ""));
}

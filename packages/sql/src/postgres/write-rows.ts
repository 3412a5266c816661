import type { LimitedPool } from "./limited-pool.ts";
import type { WriteRow, WriteStatement } from "../write-statement.ts";

/**
 * Writes rows in one statement, which is its own transaction. Returns for each row whether it changed something. The statement is named, so
 * that a connection plans it once.
 */
export async function writeRows<Column extends string>(
  pool: Pick<LimitedPool, "query">,
  statement: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): Promise<boolean[]> {
  const { columns, key, postgres } = statement;
  const firsts = new Map<unknown, number>();
  rows.forEach((row, index) => firsts.has(row[key]) || firsts.set(row[key], index));
  // In key order: PostgreSQL aborts one of two statements that lock the same rows in different orders.
  const now = [...firsts.values()].map((index) => rows[index] as WriteRow<Column>).toSorted(byColumn(key));
  const values = columns.map((name) => now.map((row) => row[name]));
  const answer = await pool.query({ ...postgres, values, rowMode: "array" });
  const done = new Set(answer.rows.map(([value]) => value));
  const changed = rows.map((row, index) => firsts.get(row[key]) === index && done.has(row[key]));
  if (now.length === rows.length) return changed;

  // Of several rows with the same key, one statement would write an arbitrary one, so later ones are written after it.
  const later = rows.flatMap((row, index) => (firsts.get(row[key]) === index ? [] : [index]));
  const afterwards = await writeRows(
    pool,
    statement,
    later.map((index) => rows[index] as WriteRow<Column>),
  );
  later.forEach((index, at) => (changed[index] = afterwards[at] ?? false));
  return changed;
}

function byColumn<Column extends string>(name: Column): (a: WriteRow<Column>, b: WriteRow<Column>) => number {
  return ({ [name]: a }, { [name]: b }) => Number((a ?? "") > (b ?? "")) - Number((a ?? "") < (b ?? ""));
}

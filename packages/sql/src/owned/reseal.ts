import { sql, type Kysely } from "kysely";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OwnedTable, Row, Sealer } from "./owned-table.ts";
import { readPages } from "./owned-rows.ts";

/** The outcome for columns that were not sealed with the current key. */
export interface Resealed {
  readonly sealed: number;
  /** Values that can't be opened: their key is missing, or they were modified. They are left unchanged. */
  readonly failed: number;
}

const none: Resealed = { sealed: 0, failed: 0 };

/**
 * Seals values with the current key that are unsealed or sealed with another key. Safe to interrupt, to repeat, and to run while others write:
 * a value that changes meanwhile is left as written.
 */
export async function reseal(db: Kysely<never>, table: OwnedTable, sealer: Sealer): Promise<Resealed> {
  let total = none;
  for (const [column, contextOf] of Object.entries(table.sealed ?? {})) {
    const old = sql`${sql.ref(column)} is not null and substr(${sql.ref(column)}, 1, ${sql.lit(sealer.prefix.length)}) <> ${sealer.prefix}`;
    for await (const rows of readPages(db, table, { where: old })) {
      for (const row of rows) {
        const done = await resealOne(db, { table, column, row, context: contextOf(row) }, sealer);
        total = { sealed: total.sealed + done.sealed, failed: total.failed + done.failed };
      }
      await nextTurn();
    }
  }
  return total;
}

async function resealOne(
  db: Kysely<never>,
  at: { readonly table: OwnedTable; readonly column: string; readonly row: Row; readonly context: string },
  sealer: Sealer,
): Promise<Resealed> {
  const { table, column, row, context } = at;
  const before = String(row[column]);
  let after: string;
  try {
    after = sealer.seal(/^v\d+\./.test(before) ? sealer.open(before, context) : before, context);
  } catch {
    return { ...none, failed: 1 };
  }
  const same = table.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`);
  const { numAffectedRows } =
    await sql`update ${sql.table(table.name)} set ${sql.ref(column)} = ${after} where ${sql.join(same, sql` and `)} and ${sql.ref(column)} = ${before}`.execute(
      db,
    );
  return { ...none, sealed: Number(numAffectedRows ?? 0) };
}

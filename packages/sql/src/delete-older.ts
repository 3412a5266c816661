import { sql, type Kysely, type RawBuilder } from "kysely";

/** The expired rows of a table. */
export interface OlderRows {
  readonly table: string;
  /** The column that identifies a row. */
  readonly key: string;
  /** The time column. Rows with null are kept. */
  readonly column: string;
  /** Rows with an earlier time are deleted. */
  readonly before: number | RawBuilder<number>;
}

/**
 * Deletes at most `most` rows, oldest first, in one statement. Returns their number. Safe to repeat, and to run in several processes at
 * once.
 */
export async function deleteOlder<Tables>(
  db: Kysely<Tables>,
  { table, key, column, before }: OlderRows,
  most: number,
): Promise<number> {
  const [name, id, time] = [sql.table(table), sql.ref(key), sql.ref(column)];
  const oldest = sql`select ${id} from ${name} where ${time} < ${before} order by ${time} limit ${sql.lit(most)}`;
  // Checked again in the delete itself: the row may have been updated meanwhile.
  const { numAffectedRows = 0n } =
    await sql`delete from ${name} where ${id} in (${oldest}) and ${time} < ${before}`.execute(db);
  return Number(numAffectedRows);
}

import { sql, type Kysely, type RawBuilder } from "kysely";

/** Which rows of a table have been kept long enough. */
export interface OlderRows {
  readonly table: string;
  /** The column that tells rows apart. */
  readonly key: string;
  /** The column with the time that counts; a row in which it is null stays. */
  readonly column: string;
  /** Rows of an earlier time go. */
  readonly before: number | RawBuilder<number>;
}

/**
 * Deletes `most` of them at the most, the oldest first, in one statement. Gives how many they were. Harmless to repeat, and for
 * several processes at once.
 */
export async function deleteOlder<Tables>(
  db: Kysely<Tables>,
  { table, key, column, before }: OlderRows,
  most: number,
): Promise<number> {
  const [name, id, time] = [sql.table(table), sql.ref(key), sql.ref(column)];
  const oldest = sql`select ${id} from ${name} where ${time} < ${before} order by ${time} limit ${sql.lit(most)}`;
  // Looked at again in the delete itself: meanwhile somebody may have used the row, which makes it young.
  const { numAffectedRows = 0n } =
    await sql`delete from ${name} where ${id} in (${oldest}) and ${time} < ${before}`.execute(db);
  return Number(numAffectedRows);
}

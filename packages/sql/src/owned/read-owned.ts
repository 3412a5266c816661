import { sql, type Kysely, type RawBuilder } from "kysely";
import { ownerValueOf, type OwnedTable, type Row } from "./owned-table.ts";

const pageSize = 200;

/** The rows to read, and the page size. */
export interface PagesOptions {
  readonly where?: RawBuilder<unknown>;
  readonly most?: number;
}

/** Yields all rows of an owner in a table in key order, read in pages, so that the table is never completely in memory. */
export function readOwned(
  db: Kysely<never>,
  table: OwnedTable,
  owner: string,
): AsyncGenerator<readonly Row[], undefined> {
  return readPages(db, table, { where: sql`${sql.ref(table.owner)} = ${ownerValueOf(table, owner)}` });
}

/** Yields rows of a table in pages. A row whose key changes meanwhile may appear twice or not at all; our keys never change. */
export async function* readPages(
  db: Kysely<never>,
  { name, key }: Pick<OwnedTable, "name" | "key">,
  { where = sql`1 = 1`, most = pageSize }: PagesOptions,
): AsyncGenerator<readonly Row[], undefined> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after = sql`1 = 1`;
  for (;;) {
    const page = sql<Row>`select * from ${sql.table(name)} where ${where} and ${after} order by ${columns} limit ${sql.lit(most)}`;
    const { rows } = await page.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) return undefined;
    after = sql`(${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

/** Returns the number of an owner's rows in a table. */
export async function countOwned(db: Kysely<never>, table: OwnedTable, owner: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(table.name)} where ${sql.ref(table.owner)} = ${ownerValueOf(table, owner)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

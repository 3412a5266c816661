import { sql, type Kysely, type RawBuilder } from "kysely";
import { ownerValueOf, type OwnedTable, type Row } from "./owned-table.ts";

const pageSize = 200;

/** Which rows of a table are meant, and how many a page holds. */
export interface PagesOptions {
  readonly where?: RawBuilder<unknown>;
  readonly most?: number;
}

/** All rows that an owner has in a table, in the order of their keys, a page at a time: never the whole table in memory. */
export function readOwned(
  db: Kysely<never>,
  table: OwnedTable,
  owner: string,
): AsyncGenerator<readonly Row[], undefined> {
  return readPages(db, table, { where: sql`${sql.ref(table.owner)} = ${ownerValueOf(table, owner)}` });
}

/** Rows of a table, page by page. A row that changes its key meanwhile may come twice or not at all; ours never do. */
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

/** How many rows an owner has in a table. */
export async function countOwned(db: Kysely<never>, table: OwnedTable, owner: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(table.name)} where ${sql.ref(table.owner)} = ${ownerValueOf(table, owner)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

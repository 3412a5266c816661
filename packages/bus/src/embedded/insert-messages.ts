import { nowText, rowsStatement, type Engine } from "@crosszone/sql";
import type { Kysely } from "kysely";
import { placedColumns, type NewMessageRow } from "./message-rows.ts";

/** A written message; without a lease it waits for a consumer. */
export interface WrittenRow {
  readonly id: number;
  readonly lease: string | null;
  /** PostgreSQL's transaction id. */
  readonly xact: string | null;
}

const columns = { ...placedColumns, consumer_group: "text", lease: "text", lease_ms: "bigint" } as const;

// On PostgreSQL the query follows the order of the lane index. Without statistics, the planner could scan a whole group for a key.
const hasLane = {
  sqlite: `exists (
    select 1 from bus_message e
    where e.channel = new.channel and e.consumer_group = new.consumer_group and e.key = new.key)`,
  postgres: `coalesce(new.key = (
    select e.key from bus_message e
    where (e.channel, e.consumer_group, e.key) >= (new.channel, new.consumer_group, new.key)
    order by e.channel, e.consumer_group, e.key limit 1), false)`,
};

const inserting = rowsStatement({
  columns,
  text: (rows, engine) => `
    insert into bus_message
      (channel, consumer_group, key, value, headers, team, published_at, attempt, lease, visible_at)
    select channel, consumer_group, key, value, headers, team, ${nowText[engine]},
      case when granted is null then 0 else 1 end, granted,
      case when granted is null then 0 else ${nowText[engine]} + lease_ms end
    from (
      select new.*, case when lease is not null and not ${hasLane[engine]} then lease end as granted
      from ${rows}) as new
    order by place
    returning id, lease, ${engine === "postgres" ? "pg_current_xact_id()::text" : "null"} as xact`,
});

/**
 * Writes rows in order and starts the granted leases. No two rows of one key may request one. On PostgreSQL, overlapping transactions do
 * not see each other's rows, so each can be granted a lease of the same key.
 */
export async function insertMessages<Tables>(
  db: Kysely<Tables>,
  engine: Engine,
  { rows, leaseMs = 0 }: { readonly rows: readonly NewMessageRow[]; readonly leaseMs?: number },
): Promise<readonly WrittenRow[]> {
  const placed = rows.map((row, place) => ({ ...row, place, lease: row.lease ?? null, lease_ms: leaseMs }));
  return inserting<WrittenRow>(db, engine, placed);
}

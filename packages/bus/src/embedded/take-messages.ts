import { forUpdateSkipLocked, indexRange, now, walkLanes, type Database } from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { BusPlace } from "../bus-observer.ts";
import type { BusMessageTable, BusTables } from "./bus-tables.ts";
import { columnsOf, firstOfLane, laneAfter } from "./message-lanes.ts";

/** A leased message of a group. */
export type TakenRow = Pick<
  BusMessageTable,
  "channel" | "consumer_group" | "key" | "value" | "headers" | "team" | "attempt"
> & { readonly id: number; readonly lease: string };

/** How many messages a take reads in order, in addition to those that it wants. */
const looked = 100;

/** How many more keys than wanted a take looks for: other processes may lease from some of them at the same time. */
const spare = 10;

/**
 * Leases messages that are the first of their key, the oldest first. When the front of the queue has too few of them, walks keys instead of
 * messages, which skips a long key in one step.
 */
export async function takeMessages(
  { unflushed, engine }: Pick<Database<BusTables>, "unflushed" | "engine">,
  place: BusPlace,
  { most, leaseMs }: { readonly most: number; readonly leaseMs: number },
): Promise<readonly TakenRow[]> {
  const { channel, group } = place;
  const lease = crypto.randomUUID();
  const isVisible = sql`m.visible_at <= (select ${now(engine)})`;
  const ofGroup = columnsOf("m", place);
  const first = (key: RawBuilder<string>) => firstOfLane(engine, place, key);
  const skipLocked = forUpdateSkipLocked(engine, "m");
  const left = sql`${most} - (select count(*) from front)`;
  const walk = walkLanes((after) => laneAfter(engine, place, after), sql`exists (select 1 from edge) and ${left} > 0`);
  // Materialized: otherwise PostgreSQL may run the subquery several times during the update and lease more rows than the limit.
  const taking = sql<Omit<TakenRow, "channel" | "consumer_group" | "lease">>`
    with recursive
    edge as materialized (
      select m.id from bus_message m where ${indexRange(engine, ofGroup)} and ${isVisible}
      order by m.channel, m.consumer_group, m.id limit 1 offset ${most + looked}),
    front as materialized (
      select m.id from bus_message m
      where m.channel = ${channel} and m.consumer_group = ${group} and ${isVisible}
        and m.id <= coalesce((select id from edge), ${Number.MAX_SAFE_INTEGER}) and m.id = ${first(sql`m.key`)}
      order by m.channel, m.consumer_group, m.id limit ${most} ${skipLocked}),
    lanes(lane, round) as (${walk}),
    heads as materialized (
      select id from (select (
        select m.id from bus_message m
        where ${isVisible} and m.id = ${first(sql`lanes.lane`)} and m.id > (select id from edge)) as id
        from lanes) as found
      where id is not null limit ${most + spare}),
    beyond as materialized (
      select m.id from bus_message m where m.id in (select id from heads) and ${isVisible} limit ${left} ${skipLocked})
    update bus_message set lease = ${lease}, attempt = attempt + 1, visible_at = ${now(engine)} + ${leaseMs}
    where id in (select id from front union all select id from beyond)
    returning id, key, value, headers, team, attempt`;
  const { rows } = await unflushed((connection) => taking.execute(connection));
  return rows.map((row) => ({ ...row, channel, consumer_group: group, lease })).toSorted((a, b) => a.id - b.id);
}

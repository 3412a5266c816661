import { indexRange, type Engine, type IndexColumns, type MigrationStep } from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { BusPlace } from "../bus-observer.ts";

/** Replaces the index of messages by key with one that sorts by group first. `down` restores the old index. */
export const busLanesStep: MigrationStep = {
  up: async (db) => {
    await sql`create index bus_message_by_lane on bus_message (channel, consumer_group, key, id)`.execute(db);
    await sql`drop index bus_message_by_key`.execute(db);
  },
  down: async (db) => {
    await sql`create index bus_message_by_key on bus_message (key, id)`.execute(db);
    await sql`drop index bus_message_by_lane`.execute(db);
  },
};

/** Selects the first message of a key, or null. */
export const firstOfLane = (
  engine: Engine,
  place: BusPlace,
  key: RawBuilder<string>,
): RawBuilder<number> => sql<number>`(
  select f.id from bus_message f
  where ${indexRange(engine, { ...columnsOf("f", place), "f.key": key }, { after: { "f.id": 0 } })}
  order by f.channel, f.consumer_group, f.key, f.id limit 1)`;

/** Selects the next key of a group after a given one, or null. */
export const laneAfter = (engine: Engine, place: BusPlace, key: RawBuilder<string>): RawBuilder<string> => sql<string>`
  select n.key from bus_message n where ${indexRange(engine, columnsOf("n", place), { after: { "n.key": key } })}
  order by n.channel, n.consumer_group, n.key limit 1`;

/** The condition for messages of a group, in a table with the alias `alias`. */
export const columnsOf = (alias: string, { channel, group }: BusPlace): IndexColumns => ({
  [`${alias}.channel`]: channel,
  [`${alias}.consumer_group`]: group,
});

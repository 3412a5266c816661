import { indexRange, type Engine, type IndexColumns, type MigrationStep } from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { BusPlace } from "../bus-observer.ts";

/** Replaces the index of messages by key, so that the keys of one group follow each other; puts the former one back. */
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

/** The first message of a key, or null. */
export const firstOfLane = (
  engine: Engine,
  place: BusPlace,
  key: RawBuilder<string>,
): RawBuilder<number> => sql<number>`(
  select f.id from bus_message f
  where ${indexRange(engine, { ...columnsOf("f", place), "f.key": key }, { after: { "f.id": 0 } })}
  order by f.channel, f.consumer_group, f.key, f.id limit 1)`;

/** Selects the first key of a group after another one, or none. */
export const laneAfter = (engine: Engine, place: BusPlace, key: RawBuilder<string>): RawBuilder<string> => sql<string>`
  select n.key from bus_message n where ${indexRange(engine, columnsOf("n", place), { after: { "n.key": key } })}
  order by n.channel, n.consumer_group, n.key limit 1`;

/** What messages of a group have in common, of a table that is called `alias`. */
export const columnsOf = (alias: string, { channel, group }: BusPlace): IndexColumns => ({
  [`${alias}.channel`]: channel,
  [`${alias}.consumer_group`]: group,
});

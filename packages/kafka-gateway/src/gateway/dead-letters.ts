import { hash } from "node:crypto";
import type { Purge, RecordCodec } from "@crosszone/service-kit";
import { columnText, type Database, deleteOlder, type MigrationStep, now, tablesStep } from "@crosszone/sql";
import { type Generated, sql } from "kysely";
import { deadLetterMs, type BusMessage, type ChannelName } from "../bus/kafka-bus.ts";

/** A message that no topic accepted. `dead_at` in Unix milliseconds, by the database's clock. */
interface BusDeadLetterTable {
  /** Never reused, so that an operator's id can't mean a later letter. */
  id: Generated<number>;
  channel: string;
  /** Digest of channel, group and message key. */
  key: string;
  /** The message, JSON, may be sealed. */
  value: string;
  /** JSON. */
  headers: string;
  /** Digest of the team that owns the data. */
  team: string | null;
  consumer_group: string;
  reason: string;
  attempts: number;
  dead_at: number;
}

/** The gateway's own table in the zone's database. */
export interface DeadLetterTables {
  bus_dead_letter: BusDeadLetterTable;
}

/** Returns the context of the column `value`. */
export const messageContext = (row: { readonly channel: string; readonly key: string }): string =>
  `bus message ${row.channel} ${row.key}`;

export const deadLettersStep: MigrationStep = tablesStep(["bus_dead_letter"], async (db, engine) => {
  await db.schema
    .createTable("bus_dead_letter")
    // SQLite would reuse the last id after its row is deleted: https://www.sqlite.org/autoinc.html
    .addColumn("id", engine === "sqlite" ? "integer" : "bigint", (column) =>
      engine === "sqlite" ? column.primaryKey().autoIncrement() : column.generatedAlwaysAsIdentity().primaryKey(),
    )
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("headers", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("consumer_group", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("dead_at", "bigint", (column) => column.notNull())
    .execute();
  await sql`create index bus_dead_letter_in_order on bus_dead_letter (channel, id)`.execute(db);
  await sql`create index bus_dead_letter_by_time on bus_dead_letter (dead_at)`.execute(db);
  await sql`create index bus_dead_letter_by_team on bus_dead_letter (team) where team is not null`.execute(db);
});

/** Returns the digest of a key for its column: a key can be any text. */
const keyDigest = (channel: ChannelName, key: string): string =>
  hash("sha256", JSON.stringify([channel, "", key]), "base64url");

/** Returns the columns of a message, with its value sealed. */
export function messageColumns({ channel, value, headers = {} }: BusMessage, codec: RecordCodec) {
  const { "data-owner": team } = headers;
  const key = keyDigest(channel, value.task_id);
  return {
    channel,
    key,
    value: codec.toColumn(value, messageContext({ channel, key })),
    headers: JSON.stringify(headers),
    team: team === undefined ? null : columnText(team),
  };
}

/** Stores a message that no topic accepts. */
export async function storeDeadLetter(
  { db, engine }: Database<DeadLetterTables>,
  columns: ReturnType<typeof messageColumns>,
  reason: string,
): Promise<void> {
  const letter = { ...columns, reason, consumer_group: "outbox", attempts: 1, dead_at: now(engine) };
  await db.insertInto("bus_dead_letter").values(letter).execute();
}

/** Returns the purge of dead letters. Every process runs it, since the table outlives the use of Kafka. */
export function createDeadLetterPurge({ db, engine }: Database<DeadLetterTables>): Purge {
  const table = "bus_dead_letter";
  const before = sql<number>`(select ${now(engine)} - ${deadLetterMs})`;
  return { table, purge: (most) => deleteOlder(db, { table, key: "id", column: "dead_at", before }, most) };
}

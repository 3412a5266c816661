import { hash } from "node:crypto";
import type { Purge, RecordCodec } from "@crosszone/service-kit";
import { columnText, deleteOlder, now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { BusMessage, ChannelName } from "../bus/bus-message.ts";
import { messageContext, type BusDeadLetterTable, type DeadLetterTables } from "./dead-letter-table.ts";

/** How long dead letters are kept, in the table and in created topics: 14 days, in milliseconds. */
export const deadLetterMs: number = 14 * 86_400_000;

/** The columns of a message in any table. */
export type MessageColumns = Pick<BusDeadLetterTable, "channel" | "key" | "value" | "headers" | "team">;

/** Returns the digest of a key for its column: a key can be any text. */
const keyDigest = (channel: ChannelName, key: string): string =>
  hash("sha256", JSON.stringify([channel, "", key]), "base64url");

/** Returns the columns of a message, with its value sealed. */
export function messageColumns({ channel, value, headers = {} }: BusMessage, codec: RecordCodec): MessageColumns {
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
export async function buryMessage(
  { db, engine }: Database<DeadLetterTables>,
  columns: MessageColumns,
  reason: string,
): Promise<void> {
  const letter = { ...columns, reason, consumer_group: "outbox", attempts: 1, dead_at: now(engine) };
  await db.insertInto("bus_dead_letter").values(letter).execute();
}

/** Returns the purge of dead letters. Every process runs it, since the table outlives the use of Kafka. */
export function createDeadLetterPurge({ db, engine }: Pick<Database<DeadLetterTables>, "db" | "engine">): Purge {
  const table = "bus_dead_letter";
  const before = sql<number>`(select ${now(engine)} - ${deadLetterMs})`;
  return { table, purge: (most) => deleteOlder(db, { table, key: "id", column: "dead_at", before }, most) };
}

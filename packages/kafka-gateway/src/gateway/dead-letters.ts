import { hash } from "node:crypto";
import { type CallHeaders, ownerColumn } from "@crosszone/agent-calls";
import type { DeadLetterList } from "@crosszone/contracts";
import type { Purge, RecordCodec } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, type Database, type MigrationStep, now, purgeAfter, sqlStep } from "@crosszone/sql";
import { type CompiledQuery, type Generated, sql } from "kysely";
import type { ChannelName, DeadLetter, KafkaBus } from "../bus/kafka-bus.ts";

/** How long dead letters are kept: 14 days, in milliseconds. */
const deadLetterMs: number = 14 * 86_400_000;

/** A message that could not be read or stored, or that no topic accepted. `dead_at` in Unix milliseconds, by the database's clock. */
interface BusDeadLetterTable {
  /** Never reused, so that an operator's id can't mean a later letter. */
  id: Generated<number>;
  channel: string;
  /** Digest of where the message is from: the same if it arrives again. */
  key: string;
  /** The message, as JSON of its text or bytes, may be sealed. */
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

// SQLite would reuse the last id after its row is deleted: https://www.sqlite.org/autoinc.html
const neverReused = {
  sqlite: "integer primary key autoincrement",
  postgres: "bigint generated always as identity primary key",
};

export const deadLettersStep: MigrationStep = {
  ...sqlStep(
    (engine) => `
  create table bus_dead_letter (
    id ${neverReused[engine]}, channel text not null, key text not null, value text not null, headers text not null,
    team text, consumer_group text not null, reason text not null, attempts integer not null, dead_at bigint not null);
  create index bus_dead_letter_in_order on bus_dead_letter (channel, id);
  create unique index bus_dead_letter_once on bus_dead_letter (channel, consumer_group, key);
  create index bus_dead_letter_by_time on bus_dead_letter (dead_at);
  create index bus_dead_letter_by_team on bus_dead_letter (team) where team is not null`,
  ),
  // A message was stored again with each delivery.
  mend: [
    "delete from bus_dead_letter where id not in (select min(id) from bus_dead_letter group by channel, consumer_group, key)",
  ],
};

/** The group of messages that no topic accepted. */
export const outboxGroup = "outbox";

/** Returns the statement that stores a dead letter, unless it is stored. */
export function insertLetter(
  { db, engine }: Database<DeadLetterTables>,
  letter: Omit<DeadLetter, "json" | "changed">,
  codec: RecordCodec,
): CompiledQuery {
  const { channel, group, source, bytes, headers, reason, attempts } = letter;
  const key = hash("sha256", source, "base64url");
  const text = Buffer.from(bytes).toString();
  const content = Buffer.from(text).equals(bytes) ? { text } : { base64: Buffer.from(bytes).toString("base64") };
  const row = {
    channel,
    key,
    value: codec.toColumn(content, messageContext({ channel, key })),
    headers: JSON.stringify(headers),
    team: ownerColumn(headers),
    consumer_group: group,
    reason: columnText(reason),
    attempts,
    dead_at: now(engine),
  };
  return db
    .insertInto("bus_dead_letter")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .compile();
}

/** The dead letters of the zone's database, for operators. A letter's id is its channel, a slash and a number. */
export function createDeadLetterStore({ db }: Database<DeadLetterTables>) {
  const withId = (id: string) => {
    const [, channel = "", number = ""] = /^(\w+)\/(\d{1,15})$/.exec(id) ?? [];
    return [channel as ChannelName, Number(number)] as const;
  };
  return {
    /** Returns at most `most` dead letters, oldest first, and the number of all. */
    list: async (most: number): Promise<DeadLetterList> => {
      const counted = db.selectFrom("bus_dead_letter").select(({ fn }) => fn.countAll<number>().as("total"));
      const shown = db
        .selectFrom("bus_dead_letter")
        .select(["id", "channel", "consumer_group as group", "attempts", "dead_at"])
        .select(sql<string>`substr(reason, 1, 1000)`.as("reason"));
      const [rows, { total }] = await Promise.all([
        shown.orderBy("id").limit(most).execute(),
        counted.executeTakeFirstOrThrow(),
      ]);
      const letterOf = ({ id, channel, dead_at, ...row }: (typeof rows)[number]) => ({
        ...row,
        id: `${channel}/${id}`,
        dead_at: isoTime(dead_at),
      });
      return { dead_letters: rows.map(letterOf), total };
    },
    find: (id: string) => {
      const [channel, number] = withId(id);
      const letters = db.selectFrom("bus_dead_letter").selectAll();
      return letters.where("channel", "=", channel).where("id", "=", number).executeTakeFirst();
    },
    /** Deletes a dead letter. Returns whether there was one. */
    discard: async (id: string): Promise<boolean> => {
      const [channel, number] = withId(id);
      const gone = db.deleteFrom("bus_dead_letter").where("channel", "=", channel).where("id", "=", number);
      return (await gone.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}

/** Returns a function that delivers a dead letter again to the group that failed, as a new message. */
export function createReplay(database: Database<DeadLetterTables>, bus: KafkaBus, codec: RecordCodec) {
  const letters = createDeadLetterStore(database);
  /** Resolves with `unknown` for an id of none. Rejects when no topic accepts the letter, which stays. */
  return async (id: string): Promise<"replayed" | "unknown"> => {
    const row = await letters.find(id);
    if (row === undefined) return "unknown";
    const content = codec.fromColumn(row.value, messageContext(row)) as { text?: string; base64?: string };
    const { text, base64 = "" } = content;
    const problem = await bus.publishAgain(row.channel as ChannelName, {
      bytes: text === undefined ? Buffer.from(base64, "base64") : Buffer.from(text),
      headers: JSON.parse(row.headers) as CallHeaders,
      group: row.consumer_group === outboxGroup ? undefined : row.consumer_group,
    });
    if (problem !== undefined) throw problem;
    await letters.discard(id);
    return "replayed";
  };
}

/** Returns the purge of dead letters. Every process runs it, since the table outlives the use of Kafka. */
export const createDeadLetterPurge = (database: Database<DeadLetterTables>): Purge =>
  purgeAfter(database, { table: "bus_dead_letter", key: "id", column: "dead_at" }, deadLetterMs);

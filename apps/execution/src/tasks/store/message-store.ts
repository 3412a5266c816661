import { momentOf } from "@crosszone/admin-api";
import type { MessageAct, MessageRecord, MessageStanding, WantedAct } from "@crosszone/contracts";
import type { Purge, Vault } from "@crosszone/service-kit";
import { jobStates } from "@crosszone/jobs";
import {
  columnText,
  deleteOlder,
  now,
  nowText,
  type OlderRows,
  personDigest,
  retryBriefly,
  rowsStatement,
} from "@crosszone/sql";
import { sql } from "kysely";
import { endFires } from "../../fires/fire-store.ts";
import type { MessageTable } from "../../store/tables.ts";
import { type ExecutionDatabase, teamKey } from "../../store/open-execution-database.ts";
import { taskKind } from "../task.ts";
import { createKnownNames } from "./known-names.ts";

export interface MessageQuery {
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: MessageKey | undefined;
  /** Received from `since` on and before `until`, Unix milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Of a person or a channel: an id, a name or a word of it. */
  readonly person?: string | undefined;
  readonly reference?: string | undefined;
  /** The first four characters of a reference, or more. */
  readonly beginning?: string | undefined;
  readonly channel?: string | undefined;
  /** Its own timestamp, or that of its thread. */
  readonly ts?: string | undefined;
  readonly state?: MessageStanding | undefined;
}

/** The place of a message in the list: when it was received, and its reference. */
type MessageKey = readonly [receivedAt: number, reference: string];

export interface StoredMessage {
  readonly caller: string;
  readonly message: MessageRecord;
  readonly standing: MessageStanding;
  /** What verification is asked to do with it. */
  readonly pending_act: MessageAct | undefined;
}

/** Retention of open messages and of inactive authors, milliseconds: longer than people take to decide. */
const longestMs = 31 * 86_400_000;

/** How long verification is asked for an act, milliseconds: later, its operator no longer expects it. */
const actMs = 86_400_000;

/** Most acts in the answer to one report. */
const mostActs = 100;

const messageColumns =
  "reference, caller, team, revision, state, standing, channel, ts, thread_ts, user_id, received_at, record";
const changing = ["revision", "state", "standing", "ts", "stored_at", "record"];

/** Stores reports, unless a report of the same or a later revision was stored. A new revision ends what operators wanted. */
const storeReports = rowsStatement({
  columns: {
    reference: "text",
    caller: "text",
    team: "text",
    revision: "bigint",
    state: "text",
    standing: "text",
    channel: "text",
    ts: "text",
    thread_ts: "text",
    user_id: "text",
    received_at: "bigint",
    record: "text",
  },
  text: (rows, engine) => `insert into message (${messageColumns}, stored_at)
    select ${messageColumns}, ${nowText[engine]} from ${rows} where true on conflict (reference, caller) do update
    set pending_act = null, ${changing.map((name) => `${name} = excluded.${name}`).join(", ")} where message.revision < excluded.revision`,
});

/** Stores what verification reports of messages, and finds them for operators. */
export type MessageStore = ReturnType<typeof createMessageStore>;

export function createMessageStore(
  database: ExecutionDatabase,
  { retentionMs, vault }: { readonly retentionMs: number; readonly vault?: Vault | undefined },
) {
  const { db, engine, batch } = database;
  const names = createKnownNames(database, vault);
  const olderThan = (ms: number) => sql<number>`(select ${now(engine)} - ${sql.lit(ms)})`;
  const [ended, forgotten] = [sql<boolean>`state <> 'open'`, olderThan(longestMs)];
  const old: readonly OlderRows[] = [
    { table: "message", key: "reference", column: "stored_at", before: olderThan(retentionMs), only: ended },
    { table: "message", key: "reference", column: "stored_at", before: forgotten, only: sql<boolean>`state = 'open'` },
    { table: "message_person", key: "digest", column: "seen_at", before: forgotten },
  ];

  const isWanted = sql<boolean>`act_at > (select ${now(engine)} - ${sql.lit(actMs)}) and pending_act is not null`;

  const wantedAct = sql<string | null>`case when ${isWanted} then pending_act end`.as("pending_act");

  return {
    names,
    purges: old.map((rows): Purge => ({ table: rows.table, purge: (most) => deleteOlder(db, rows, most) })),

    /** Stores reports in one commit, and the ends of fires with it. Reports that are known or older change nothing. Returns what operators want of the caller, oldest first. */
    report: async (messages: readonly MessageRecord[], by: string): Promise<WantedAct[]> => {
      const caller = columnText(by);
      // Of reports of one message the last revision counts. One order for all processes prevents deadlocks.
      const last = new Map(
        messages.toSorted((a, b) => a.revision - b.revision).map((message) => [message.reference, message]),
      );
      const rows = [...last.values()].toSorted((a, b) => (a.reference < b.reference ? -1 : 1)).map(rowOf);
      const ends = rows.flatMap(({ row: { reference, state }, reason = null }) =>
        state === "open" ? [] : [{ reference, caller, state, reason }],
      );
      if (messages.length > 0)
        await batch([
          storeReports.query(
            engine,
            rows.map(({ row }) => ({ ...row, caller })),
          ),
          names.storing(rows.flatMap(({ named }) => named)),
          ...(ends.length === 0 ? [] : [endFires.query(engine, ends)]),
        ]);
      const wanted = db.selectFrom("message").select(["reference", "revision", "pending_act as act"]);
      const oldest = wanted.where("caller", "=", caller).where(isWanted).orderBy("act_at").orderBy("reference");
      return (await oldest.limit(mostActs).execute()) as WantedAct[];
    },

    /** Asks verification to do something with a parked message. Returns why not, or nothing. */
    want: async (reference: string, act: MessageAct): Promise<string | undefined> => {
      const key = columnText(reference);
      const asking = db.updateTable("message").set({ pending_act: act, act_at: now(engine) });
      const asked = await asking.where("reference", "=", key).where("state", "=", "parked").executeTakeFirst();
      if (asked.numUpdatedRows > 0n) return undefined;
      const found = await db.selectFrom("message").select("state").where("reference", "=", key).executeTakeFirst();
      return found === undefined ? "There is no such message." : `It is ${found.state.replace("_", " ")}.`;
    },

    /** Returns a page of messages, newest first, and the cursor of the next page. Each query reads one index, from its start. */
    list: (query: MessageQuery) =>
      retryBriefly(
        async (): Promise<{ readonly found: readonly StoredMessage[]; readonly next: MessageKey | undefined }> => {
          const { limit, person } = query;
          const ids = person === undefined ? undefined : await names.idsOf(person);
          if (ids?.length === 0 && query.state !== "waiting") return { found: [], next: undefined };
          const columns = ["caller", "record", "received_at", "reference", standingNow, wantedAct] as const;
          const reads = narrowed(db, query, ids).map((one) => one.select(columns));
          const read = await Promise.all(reads.map((one) => one.limit(limit + 1).execute()));
          const byKey = new Map(read.flat().map((row) => [`${row.reference} ${row.caller}`, row]));
          const rows = [...byKey.values()].toSorted(newestFirst).slice(0, limit + 1);
          const last = rows.length > limit ? rows[limit - 1] : undefined;
          return {
            found: rows.slice(0, limit).map(({ caller, pending_act, record, standing }) => ({
              caller,
              standing: standing as MessageStanding,
              message: JSON.parse(record) as MessageRecord,
              pending_act: (pending_act ?? undefined) as MessageAct | undefined,
            })),
            next: last && [last.received_at, last.reference],
          };
        },
      ),
  };
}

/** Returns the queries that together have the messages of a list, newest first. Each reads one index, in its order. */
function narrowed(
  db: ExecutionDatabase["db"],
  { cursor, since, until, reference, beginning, channel, ts, state, person }: MessageQuery,
  ids: readonly string[] | undefined,
) {
  // Few messages have a timestamp or a reference, or are of one person. As expressions, other columns make no index look better.
  const isFew = ts !== undefined || reference !== undefined || beginning !== undefined;
  // Few messages wait: they are read first, and then who waits for whom.
  const isOwn = isFew || (ids !== undefined && state !== "waiting");
  let matching = db.selectFrom("message");
  if (reference !== undefined) matching = matching.where("reference", "=", columnText(reference));
  // The range reads the index in every collation; the second condition is exact.
  if (beginning !== undefined)
    matching = matching
      .where(sql<boolean>`reference between ${beginning} and ${`${beginning}zzz`}`)
      .where(sql`substr(reference, 1, ${sql.lit(beginning.length)})`, "=", beginning);
  if (state !== undefined) {
    const stored = state === "waiting" ? "open" : state;
    matching = matching.where(isOwn ? sql`${standingColumn} || ''` : standingColumn, "=", stored);
    if (state === "waiting") matching = matching.where(pausedFor(person, ids));
    if (state === "open") matching = matching.where(sql<boolean>`not ${pausedFor()}`);
  }
  if (channel !== undefined)
    matching = matching.where(isOwn ? sql`channel || ''` : sql`channel`, "=", columnText(channel));
  if (since !== undefined) matching = matching.where("received_at", ">=", since);
  if (until !== undefined) matching = matching.where("received_at", "<", until);
  if (cursor !== undefined)
    matching = matching.where(sql<boolean>`(received_at, reference) < (${cursor[0]}, ${columnText(cursor[1])})`);
  const newest = matching.orderBy(isFew ? sql`received_at + 0` : sql`received_at`, "desc").orderBy("reference", "desc");
  // Each from its own index, in its order.
  const isNarrow = ids === undefined || state === "waiting";
  const ofPeople = isNarrow
    ? [newest]
    : ids.map((id) => newest.where(isChannel(id) ? "channel" : "user_id", "=", columnText(id)));
  if (ts === undefined) return ofPeople;
  return (["ts", "thread_ts"] as const).flatMap((column) =>
    ofPeople.map((one) => one.where(column, "=", columnText(ts))),
  );
}

const isChannel = (id: string): boolean => /^[CDG]/.test(id);

const standingColumn = sql<string>`coalesce(standing, state)`;

/** Whether a task of the message waits; with a person, whether that person asked, is where it was asked, or can decide what it waits for. */
function pausedFor(person?: string, ids: readonly string[] = []) {
  const mark = person === undefined ? "" : `\n${personDigest(person)}\n`;
  const asked = sql`exists (select 1 from input_request as asked
    where asked.task_id = job.id and asked.state = 'open' and replace(asked.people, ${mark}, '') <> asked.people)`;
  const own = ids.map((id) => sql`message.${sql.ref(isChannel(id) ? "channel" : "user_id")} = ${id}`);
  return sql<boolean>`exists (select 1 from job where job.correlation_id = message.reference and job.kind = ${sql.lit(taskKind)}
    and job.state = ${sql.lit(jobStates.ready)} and job.paused is not null ${person === undefined ? sql`` : sql`and (${sql.join([asked, ...own], sql` or `)})`})`;
}

const standingNow =
  sql<string>`case when ${standingColumn} = 'open' and ${pausedFor()} then 'waiting' else ${standingColumn} end`.as(
    "standing",
  );

type Placed = Pick<MessageTable, "received_at" | "reference">;

const newestFirst = (a: Placed, b: Placed): number =>
  b.received_at - a.received_at || (a.reference < b.reference ? 1 : -1);

function rowOf({ user_name, channel_name, ...message }: MessageRecord) {
  const { reference, revision, state, outcome, team_id, channel, ts, thread_ts, user_id, received_at } = message;
  const row = {
    reference: columnText(reference),
    team: teamKey(team_id),
    revision,
    state,
    standing: outcome ?? state,
    channel: columnText(channel),
    ts: ts === undefined ? null : columnText(ts),
    thread_ts: columnText(thread_ts),
    user_id: columnText(user_id),
    received_at: momentOf(received_at),
    record: JSON.stringify(message),
  };
  return {
    row,
    reason: message.reason,
    named: [
      { id: user_id, name: user_name, team_id },
      { id: channel, name: channel_name, team_id },
    ],
  };
}

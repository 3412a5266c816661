import { jobStates } from "@crosszone/jobs";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { channelOf, laneOf } from "./digests.ts";
import type { Inbox, InboxLoad } from "./inbox.ts";
import type { StopTarget, TeamThread } from "./records.ts";
import { readStanding, type ThreadQueue } from "./thread-store.ts";

type ZoneDatabase = Pick<VerificationDatabase, "db" | "engine">;

const { ready, leased, behind, parked } = jobStates;

/** Makes the methods of the inbox that need no lease. */
export function createInboxQueries(
  database: ZoneDatabase,
): Pick<Inbox, "standing" | "stop" | "isStopped" | "load" | "queueIn" | "isWaiting"> {
  const { db } = database;
  return {
    standing: (record) => readStanding(database, record),
    stop: (target, by) => stopQuestions(database, target, by),
    isStopped: async (requestId) => {
      const row = await db.selectFrom("job").select("stopped_by").where("id", "=", requestId).executeTakeFirst();
      return typeof row?.stopped_by === "string";
    },
    load: () => readLoad(database),
    queueIn: (thread) => readQueue(database, thread),
    isWaiting: async (requestId) => {
      const row = await db
        .selectFrom("job")
        .select("id")
        .where("id", "=", requestId)
        .where("state", "in", [ready, behind])
        .where("attempt", "=", 0)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

/**
 * Marks the open questions of the target for a stop record. A question that was accepted after it is not stopped, however late the stop is
 * processed. Resolves with the number of questions that it has marked, including earlier calls.
 */
async function stopQuestions(
  { db }: ZoneDatabase,
  target: StopTarget,
  { request_id: stopId, user_id }: Parameters<Inbox["stop"]>[1],
): Promise<number> {
  const by = user_id === undefined ? stopId : `${stopId} ${user_id}`;
  const { thread_ts } = target;
  const inThread = thread_ts === undefined ? sql`` : sql`and lane = ${laneOf("ask", { ...target, thread_ts })}`;
  const { numAffectedRows = 0n } = await sql`
    update job set stopped_by = ${by}
    where channel = ${channelOf(target)} ${inThread} and kind = 'ask' and state <> ${sql.lit(parked)}
      and (stopped_by is null or stopped_by = ${by})
      and not exists (select 1 from job as stop where stop.id = ${stopId} and stop.sequence < job.sequence)`.execute(
    db,
  );
  return Number(numAffectedRows);
}

async function readQueue({ db }: ZoneDatabase, thread: TeamThread): Promise<ThreadQueue> {
  const lane = laneOf("ask", thread);
  const { rows } = await sql<{ readonly state: number; readonly count: number }>`
    select state, count(*) as count from job where lane = ${lane} and lane is not null and state in (0, 1, 3) group by state
    union all select 2, count(*) from job where lane = ${lane} and state = 2`.execute(db);
  const countOf = (of: number): number => rows.find(({ state }) => state === of)?.count ?? 0;
  return { waiting: countOf(ready) + countOf(behind), inWork: countOf(leased) };
}

/** Reads the size of the inbox, in one statement. It scans the whole inbox, so call it only when metrics are scraped. Failed runs do not count. */
async function readLoad({ db, engine }: ZoneDatabase): Promise<InboxLoad> {
  const rows = await db
    .selectFrom("job")
    .select((row) => [
      "state",
      row.fn.countAll<number>().as("count"),
      sql<number>`${now(engine)} - min(created_at)`.as("ageMs"),
    ])
    .where("kind", "<>", "failed_run")
    .groupBy("state")
    .execute();
  const of = (state: (typeof rows)[number]["state"]) => rows.find((row) => row.state === state);
  const open = [ready, behind, leased].map(of);
  return {
    waiting: (of(ready)?.count ?? 0) + (of(behind)?.count ?? 0),
    inWork: of(leased)?.count ?? 0,
    parked: of(parked)?.count ?? 0,
    oldestMs: Math.max(0, ...open.map((row) => row?.ageMs ?? 0)),
  };
}

import { jobStates } from "@crosszone/jobs";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { channelOf, claimOf, endingOf, laneOf, type OutsideEnd, withdrawnMark } from "./record-rows.ts";
import { pausedClaim, type RecordHead, type StopTarget, type TeamThread, waitingKinds } from "./records.ts";
import { readStanding, type Standing, type ThreadQueue } from "./thread-store.ts";

const { ready, leased, behind, parked } = jobStates;

/** The size of the inbox. */
export interface InboxLoad {
  /** Records that wait for a worker. */
  readonly waiting: number;
  readonly inWork: number;
  /** Records that failed too often and need an operator. */
  readonly parked: number;
  /** Age of the oldest record that is not parked, milliseconds; 0 if there is none. */
  readonly oldestMs: number;
}

const stoppedBy = (stopId: string, user: string | undefined): string =>
  user === undefined ? stopId : `${stopId} ${user}`;

/** The questions to the inbox that need no lease. */
export class InboxQueries {
  protected readonly database: VerificationDatabase;

  constructor(database: VerificationDatabase) {
    this.database = database;
  }

  /** Resolves with the state of a question, or of its task that waits, and its thread, which work on it needs. */
  standing(record: RecordHead): Promise<Standing> {
    return readStanding(this.database, record);
  }

  /**
   * Marks the open questions of the target that were accepted before the stop record `by`, if it exists, however late it is processed.
   * Resolves with the number of questions that this record has marked, including earlier calls.
   */
  async stop(
    target: StopTarget,
    { request_id: stopId, user_id }: { readonly request_id: string; readonly user_id?: string },
  ): Promise<number> {
    const by = stoppedBy(stopId, user_id);
    const { thread_ts } = target;
    const inThread = thread_ts === undefined ? sql`` : sql`and lane = ${laneOf("ask", { ...target, thread_ts })}`;
    const { numAffectedRows = 0n } = await sql`
      update job set stopped_by = ${by}
      where channel = ${channelOf(target)} ${inThread} and kind = 'ask' and state <> ${sql.lit(parked)}
        and (stopped_by is null or stopped_by = ${by})
        and not exists (select 1 from job as stop where stop.id = ${stopId} and stop.sequence < job.sequence)`.execute(
      this.database.db,
    );
    return Number(numAffectedRows);
  }

  /** Marks tasks that wait for people, by their records, as `stop` marks questions. Resolves with the number of those marked by `by`. */
  async stopPaused(
    ids: readonly string[],
    by: { readonly request_id: string; readonly user_id?: string },
  ): Promise<number> {
    if (ids.length === 0) return 0;
    const stopped_by = stoppedBy(by.request_id, by.user_id);
    const marking = this.database.db.updateTable("job").set({ stopped_by }).where("id", "in", ids);
    const unmarked = marking.where((row) =>
      row.or([row("stopped_by", "is", null), row("stopped_by", "=", stopped_by)]),
    );
    return Number((await unmarked.executeTakeFirst()).numUpdatedRows);
  }

  /** Resolves with the open records of the message with this claim: its question, or its task that waits. Undefined if there was no such message. */
  async openOf(claim: string): Promise<readonly string[] | undefined> {
    const { db } = this.database;
    const holderOf = (of: string) => db.selectFrom("claim").select("request_id").where("digest", "=", claimOf(of));
    const question = await holderOf(claim).executeTakeFirst();
    if (question === undefined) return undefined;
    const open = db.selectFrom("job").select("id").where("kind", "in", ["ask", "paused_task"]);
    const ofMessage = open.where((row) =>
      row.or([row("id", "=", question.request_id), row("id", "=", holderOf(pausedClaim(question)))]),
    );
    return (await ofMessage.execute()).map(({ id }) => id);
  }

  /** Marks records as withdrawn, even parked ones: their author deleted the message. */
  async withdraw(ids: readonly string[], { user_id }: { readonly user_id: string }): Promise<void> {
    if (ids.length === 0) return;
    const stopped_by = stoppedBy(withdrawnMark, user_id);
    await this.database.db.updateTable("job").set({ stopped_by }).where("id", "in", ids).execute();
  }

  /** Resolves with how the question was ended from outside, if it was. */
  async endedBy(requestId: string): Promise<OutsideEnd | undefined> {
    const found = this.database.db.selectFrom("job").select("stopped_by").where("id", "=", requestId);
    return endingOf((await found.executeTakeFirst())?.stopped_by);
  }

  /** Resolves with true if the record exists. */
  async isOpen(requestId: string): Promise<boolean> {
    const found = this.database.db.selectFrom("job").select("id").where("id", "=", requestId);
    return (await found.executeTakeFirst()) !== undefined;
  }

  /** Resolves with true if a record has this claim, even a finished one of today. */
  async isClaimed(claim: string): Promise<boolean> {
    const found = this.database.db.selectFrom("claim").select("digest").where("digest", "=", claimOf(claim));
    return (await found.executeTakeFirst()) !== undefined;
  }

  /** Resolves with true if the question still waits for its first lease, and nobody stopped it. */
  async isWaiting(requestId: string): Promise<boolean> {
    const found = this.database.db.selectFrom("job").select("id").where("id", "=", requestId);
    const unmarked = found.where("stopped_by", "is", null);
    const waiting = unmarked.where("state", "in", [ready, behind]).where("attempt", "=", 0);
    return (await waiting.executeTakeFirst()) !== undefined;
  }

  /** Resolves with the number of open questions of a thread. Those that were stopped or deleted count no longer as waiting. */
  async queueIn(thread: TeamThread): Promise<ThreadQueue> {
    const lane = laneOf("ask", thread);
    const { rows } = await sql<{ readonly state: number; readonly count: number; readonly answers: number }>`
      select state, count(*) as count, count(answer) as answers from job where lane = ${lane} and lane is not null and state in (0, 1, 3)
        and (state = 1 or stopped_by is null) group by state
      union all select 2, count(*), 0 from job where lane = ${lane} and state = 2 and stopped_by is null`.execute(
      this.database.db,
    );
    const countOf = (of: number): number => rows.find(({ state }) => state === of)?.count ?? 0;
    const answered = rows.find(({ state }) => state === leased)?.answers ?? 0;
    return { waiting: countOf(ready) + countOf(behind), inWork: countOf(leased), answered };
  }

  /** Reads the size of the inbox, in one statement. It scans the whole inbox, so call it only when metrics are scraped. Records that wait for people do not count. */
  async load(): Promise<InboxLoad> {
    const { db, engine } = this.database;
    const rows = await db
      .selectFrom("job")
      .select((row) => [
        "state",
        row.fn.countAll<number>().as("count"),
        sql<number>`${now(engine)} - min(created_at)`.as("ageMs"),
      ])
      .where("kind", "not in", [...waitingKinds])
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
}

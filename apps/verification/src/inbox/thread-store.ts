import { jobStates } from "@crosszone/jobs";
import { now, nowText, rowsStatement } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { contextIdOf, laneOf, threadOf } from "./record-rows.ts";
import type { RecordHead, TeamThread } from "./records.ts";

/** A thread's conversation: its id for agents, and the agent that answers in it. */
export interface ThreadConversation {
  /** The same for every message and process. It reveals nothing about the team, channel or thread. UUID. */
  readonly context_id: string;
  /** The agent that answered first, or that a later message named. */
  readonly agent?: string;
}

/** The state of a question and its thread, which work on the question needs. */
export interface Standing {
  /** True if the question was marked as stopped. */
  readonly isStopped: boolean;
  /** The person who stopped it, if known. */
  readonly stoppedBy?: string;
  /** The thread's conversation, or the one that begins with this question. */
  readonly conversation: ThreadConversation;
  /** True if the thread has this conversation already, and was used within the hour. */
  readonly isKept: boolean;
}

/** The conversation that an answer stores for its thread. Without an agent, the thread stays bound to its current one. */
export interface AnsweredThread extends ThreadConversation {
  readonly thread: TeamThread;
}

/** The number of open questions in one thread. */
export interface ThreadQueue {
  readonly waiting: number;
  readonly inWork: number;
}

type ZoneDatabase = VerificationDatabase;

/** The precision of the last use of a thread, milliseconds. Threads are stored for days, so not every question needs a write. */
const usedMs = 3_600_000;

/** The records that bring the app into their thread. */
const addressing = ["ask", "stop", "turned_away"] as const;

/**
 * Stores the threads that this app takes part in, where replies are for it even without a mention. A thread with an open record is one of
 * them too, until the record is done; the answer to a question joins its thread (`Inbox.note`). Notices don't count: one may say that the app
 * does not answer there.
 */
export class ThreadStore {
  readonly #database: ZoneDatabase;

  constructor(database: ZoneDatabase) {
    this.#database = database;
  }

  /** Joins the thread: the person who addressed the app is allowed. */
  async join(thread: TeamThread): Promise<void> {
    const { db, engine } = this.#database;
    const known = await this.#find(thread);
    if (known !== undefined && known.unused_ms <= usedMs) return;
    const { team_id } = thread;
    const row = { digest: threadOf(thread), team_id, agent: null, used_at: now(engine), context_id: null };
    const inserted = db.insertInto("thread").values(row);
    await inserted.onConflict((same) => same.column("digest").doUpdateSet({ used_at: now(engine) })).execute();
  }

  async has(thread: TeamThread): Promise<boolean> {
    return (await this.#hasOpenRecord(thread)) || (await this.#find(thread)) !== undefined;
  }

  async #find(thread: TeamThread): Promise<{ readonly unused_ms: number } | undefined> {
    const { db, engine } = this.#database;
    const found = db.selectFrom("thread").select(sql<number>`${now(engine)} - used_at`.as("unused_ms"));
    return found.where("digest", "=", threadOf(thread)).executeTakeFirst();
  }

  /** Whether a record that brings the app into the thread is open. Then the first record of its lane is ready, leased or waiting. */
  async #hasOpenRecord(thread: TeamThread): Promise<boolean> {
    const lanes = addressing.map((kind) => laneOf(kind, thread));
    const { ready, leased, waiting } = jobStates;
    const open = this.#database.db.selectFrom("job").select("id");
    const inLanes = open.where("lane", "is not", null).where("lane", "in", lanes);
    const heads = inLanes.where(sql<boolean>`state in (${sql.lit(ready)}, ${sql.lit(leased)}, ${sql.lit(waiting)})`);
    return (await heads.executeTakeFirst()) !== undefined;
  }
}

/** Reads the standing of a question in one statement. */
export async function readStanding({ db, engine }: ZoneDatabase, record: RecordHead): Promise<Standing> {
  const { rows } = await sql<{
    readonly stopped_by: string | null;
    readonly context_id: string | null;
    readonly agent: string | null;
    readonly unused_ms: number | null;
  }>`
    select (select stopped_by from job where id = ${record.request_id}) as stopped_by,
      thread.context_id, thread.agent, ${now(engine)} - thread.used_at as unused_ms
    from (select 1) as always left join thread on thread.digest = ${threadOf(record)}`.execute(db);
  const { stopped_by = null, context_id = null, agent = null, unused_ms = null } = rows[0] ?? {};
  const stoppedBy = stopped_by?.split(" ")[1];
  return {
    isStopped: stopped_by !== null,
    stoppedBy,
    conversation: { context_id: context_id ?? contextIdOf(record), agent: agent ?? undefined },
    isKept: context_id !== null && unused_ms !== null && unused_ms <= usedMs,
  };
}

/** Joins the thread of a question if the lease that the row names is valid. An existing context id is unchanged. */
export const keepThread = rowsStatement({
  columns: {
    digest: "text",
    team_id: "text",
    agent: "text",
    context_id: "text",
    request_id: "text",
    owner: "text",
    attempt: "bigint",
  },
  text: (rows, engine) => `
    insert into thread (digest, team_id, agent, used_at, context_id)
    select digest, team_id, agent, ${nowText[engine]}, context_id from ${rows}
    where exists (select 1 from job where job.id = new.request_id and job.owner = new.owner
      and job.attempt = new.attempt and job.state = ${jobStates.leased})
    on conflict (digest) do update set used_at = excluded.used_at,
      agent = coalesce(excluded.agent, thread.agent), context_id = coalesce(thread.context_id, excluded.context_id)`,
});

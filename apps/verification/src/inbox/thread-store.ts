import { jobStates } from "@crosszone/jobs";
import { now, nowText, rowsStatement } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database.ts";
import {
  threadContextId,
  endingOf,
  followerLength,
  followerOf,
  laneOf,
  type OutsideEnd,
  threadDigest,
} from "./record-rows.ts";
import type { PersonInThread, RecordHead, TeamThread } from "./records.ts";

/** A thread's conversation: its id for agents, and the agent that answers in it. */
export interface ThreadConversation {
  /** The same for every message and process. It reveals nothing about the team, channel or thread. UUID. */
  readonly context_id: string;
  /** The agent that answered first, or that a later message named. */
  readonly agent?: string;
}

/** The state of a question and its thread, which work on the question needs. */
export interface Standing {
  /** How the question was ended from outside, if it was. */
  readonly ended?: OutsideEnd | undefined;
  /** The thread's conversation, or the one that begins with this question. */
  readonly conversation: ThreadConversation;
  /** True if the thread has this conversation already, follows the question's author, and was used within the hour. */
  readonly isKept: boolean;
}

/** The conversation that an answer stores for its thread. Without an agent, the thread stays bound to its current one. */
export interface AnsweredThread extends ThreadConversation {
  readonly thread: PersonInThread;
}

/** What is known about the thread of a person's message. */
interface KnownThread {
  /** True if the app has answered there, or is about to. */
  readonly isAnswered: boolean;
  /** True if a message that was for the app is open there. */
  readonly isOpen: boolean;
  /** Whom the app follows there: the message's author, only others, or nobody. */
  readonly follows: "author" | "others" | "nobody";
  /** A time at which the app took part there, the first that is known, Unix milliseconds; infinite without any. */
  readonly since: number;
}

/** The number of open questions in one thread. */
export interface ThreadQueue {
  readonly waiting: number;
  readonly inWork: number;
  /** Number of those in work whose answer is being posted. */
  readonly answered: number;
}

/** The precision of the last use of a thread, milliseconds. Threads are stored for days, so not every question needs a write. */
const usedMs = 3_600_000;

/** The records that bring the app into their thread. */
const addressing = ["ask", "turned_away", "missed"] as const;

/**
 * Stores the threads that this app takes part in, and the people whose replies there are for it even without a mention. The author of an open
 * record is one of them too, until the record is done; the answer to a question joins its thread (`Inbox.note`). Notices don't count: one may
 * say that the app does not answer there.
 */
export class ThreadStore {
  readonly #database: VerificationDatabase;

  constructor(database: VerificationDatabase) {
    this.#database = database;
  }

  /** Joins the thread, and follows the person of the record there, who is allowed. */
  async join(record: RecordHead): Promise<void> {
    const { db, engine } = this.#database;
    const { unused_ms = Infinity, followed = "" } = (await this.#find(record)) ?? {};
    const follower = followerOf(record);
    if (unused_ms <= usedMs && followed.includes(follower)) return;
    const { team_id, request_id } = record;
    await db.executeQuery(joinThread.query(engine, [{ digest: threadDigest(record), team_id, request_id, follower }]));
  }

  /** Follows nobody in the thread any more, until a later message mentions the app. */
  async quiet(thread: TeamThread): Promise<void> {
    const { db, engine } = this.#database;
    const time = now(engine);
    const { team_id } = thread;
    const row = { digest: threadDigest(thread), team_id, used_at: time, followed: "", quiet_since: time };
    const inserted = db.insertInto("thread").values(row);
    const changed = { followed: "", quiet_since: time };
    await inserted.onConflict((same) => same.column("digest").doUpdateSet(changed)).execute();
  }

  /** Resolves with what is known about the thread of a person's message. */
  async lookUp(place: PersonInThread): Promise<KnownThread> {
    const { followed = "", used_at = Infinity, quiet_since, context_id = null } = (await this.#find(place)) ?? {};
    const open = await this.#open(place, quiet_since ?? 0);
    const isOpen = open.length > 0;
    const author = followerOf(place);
    const isFollowed = followed.includes(author) || open.some((record) => record.author === author);
    const follows = isFollowed ? "author" : followed !== "" || isOpen ? "others" : "nobody";
    const since = Math.min(used_at, ...open.map(({ created_at }) => created_at));
    return { isAnswered: isOpen || context_id !== null, isOpen, follows, since };
  }

  #find(thread: TeamThread) {
    const { db, engine } = this.#database;
    const age = sql<number>`${now(engine)} - used_at`.as("unused_ms");
    const found = db.selectFrom("thread").select([age, "followed", "used_at", "quiet_since", "context_id"]);
    return found.where("digest", "=", threadDigest(thread)).executeTakeFirst();
  }

  /** Resolves with the authors of the open records that brought the app into the thread after this time, and when the first of each did. */
  async #open(thread: TeamThread, since: number) {
    const lanes = addressing.map((kind) => laneOf(kind, thread));
    const open = this.#database.db.selectFrom("job").where("lane", "in", lanes).where("lane", "is not", null);
    const after = open.where("state", "<>", jobStates.parked).where("created_at", ">", since);
    const first = after.select(({ fn }) => ["author", fn.min("created_at").as("created_at")]).groupBy("author");
    return first.execute();
  }
}

/** Reads the standing of a question in one statement. */
export async function readStanding({ db, engine }: VerificationDatabase, record: RecordHead): Promise<Standing> {
  const { rows } = await sql<{
    readonly stopped_by: string | null;
    readonly context_id: string | null;
    readonly agent: string | null;
    readonly followed: string | null;
    readonly unused_ms: number | null;
  }>`
    select (select stopped_by from job where id = ${record.request_id}) as stopped_by,
      thread.context_id, thread.agent, thread.followed, ${now(engine)} - thread.used_at as unused_ms
    from (select 1) as always left join thread on thread.digest = ${threadDigest(record)}`.execute(db);
  const { stopped_by = null, context_id = null, agent = null, followed, unused_ms = null } = rows[0] ?? {};
  const isFresh = unused_ms !== null && unused_ms <= usedMs;
  return {
    ended: endingOf(stopped_by),
    conversation: { context_id: context_id ?? threadContextId(record.request_id), agent: agent ?? undefined },
    isKept: context_id !== null && isFresh && followed?.includes(followerOf(record)) === true,
  };
}

/** Maximum number of people whom one thread follows, newest first. */
const mostFollowers = 20;

/** The person whom a thread follows from now on; empty if the record arrived before the thread was told to be quiet. */
const newFollower = `case when exists (select 1 from thread as known, job where known.digest = new.digest
  and job.id = new.request_id and job.created_at <= known.quiet_since) then '' else new.follower end`;

const nextFollowed = `substr(excluded.followed || replace(thread.followed, excluded.followed, ''), 1, ${followerLength * mostFollowers})`;

const joinThread = rowsStatement({
  columns: { digest: "text", team_id: "text", request_id: "text", follower: "text" },
  text: (rows, engine) => `
    insert into thread (digest, team_id, used_at, followed)
    select digest, team_id, ${nowText[engine]}, ${newFollower} from ${rows} where true
    on conflict (digest) do update set used_at = excluded.used_at, followed = ${nextFollowed}`,
});

/** Joins the thread of a question if the lease that the row names is valid. An existing context id is unchanged. */
export const keepThread = rowsStatement({
  columns: {
    digest: "text",
    team_id: "text",
    agent: "text",
    context_id: "text",
    follower: "text",
    request_id: "text",
    owner: "text",
    attempt: "bigint",
  },
  text: (rows, engine) => `
    insert into thread (digest, team_id, agent, used_at, context_id, followed)
    select digest, team_id, agent, ${nowText[engine]}, context_id, ${newFollower} from ${rows}
    where exists (select 1 from job where job.id = new.request_id and job.owner = new.owner
      and job.attempt = new.attempt and job.state = ${jobStates.leased})
    on conflict (digest) do update set used_at = excluded.used_at, followed = ${nextFollowed},
      agent = coalesce(excluded.agent, thread.agent), context_id = coalesce(thread.context_id, excluded.context_id)`,
});

import {
  type Arrival,
  jobStates,
  type LeasedJob,
  type LeaseId,
  openProcessJobs,
  type ProcessJobs,
  type ProcessJobsOptions,
} from "@crosszone/jobs";
import { opened } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database.ts";
import { AskedMessages, RecentMessages } from "./asked-messages.ts";
import { mustBeLeased, type RecordJob } from "./record-ends.ts";
import {
  acceptRecord,
  channelDigest,
  countedRecords,
  claimOf,
  endingOf,
  followerOf,
  type InboxColumn,
  inboxJobs,
  laneOf,
  laneOfRecord,
  type OutsideEnd,
  type ReadOptions,
  readRecord,
  sealContexts,
  threadDigest,
  triesOf,
  withdrawnMark,
  recordGuard,
} from "./record-rows.ts";
import {
  type InboxRecord,
  type ShownInputRecord,
  inputRecordId,
  keptMessageId,
  type KeptMessageRecord,
  type OpenQuestion,
  pausedClaim,
  type PausedTaskRecord,
  type Progress,
  type Question,
  type RecordHead,
  type StopTarget,
  type TeamThread,
  waitingKinds,
} from "./records.ts";
import type { PassedMessage } from "../slack/interaction.ts";
import type { MessagePlace } from "../slack/slack-api.ts";
import { type AnsweredThread, keepThread, readStanding, type Standing, type ThreadQueue } from "./thread-store.ts";

const { ready, leased, behind, parked } = jobStates;

const stoppedBy = (stopId: string, user: string | undefined): string =>
  user === undefined ? stopId : `${stopId} ${user}`;

/** A place in the order of the records, by the database's clock. */
interface OpenPlace {
  readonly at: number;
  readonly id: string;
}

interface OpenRow {
  readonly id: string;
  readonly attempt: number;
  readonly created_at: number;
  readonly input: string;
}

export interface InboxOptions extends ReadOptions {
  /** How long this process's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** Maximum number of open records. */
  readonly most: number;
  /** Reports jumps of the database's clock. */
  readonly emit?: ProcessJobsOptions<InboxColumn>["emit"];
}

/**
 * Stores records from before Slack's event is acknowledged until they are done. Several processes can share one inbox. A record is leased
 * to one of them; when that process stops renewing its lease, another one leases the record. Methods without a lease are safe to repeat
 * after a lost response.
 */
export class Inbox {
  /**
   * Records as jobs; their kind is their share. Only the oldest record of a thread and kind can be leased, once it is due. A process whose
   * lease may be over gives up all work, because it must post nothing.
   */
  readonly jobs: ProcessJobs<InboxColumn>;
  /** What this process has stored of late. */
  readonly recent = new RecentMessages();
  readonly asked: AskedMessages;
  readonly #database: VerificationDatabase;
  readonly #options: InboxOptions;

  constructor(database: VerificationDatabase, options: InboxOptions) {
    const { leaseMs, most, emit } = options;
    this.#database = database;
    this.#options = options;
    this.jobs = openProcessJobs({
      database,
      schema: inboxJobs,
      leaseMs,
      givesUp: true,
      guard: recordGuard(database.engine, most),
      moving: ({ ms }) => [sql`update handle set expires_at = expires_at + ${sql.lit(ms)}`],
      emit,
    });
    this.asked = new AskedMessages(database, this.jobs.store, options.codec);
  }

  /**
   * Stores the record with its claims: atomic, and durable once it resolves. `duplicate` if another record has any of its claims, even a
   * finished one; claims are stored for at least a day. Rejects if the record may not be stored; the same record can then be passed again.
   */
  async accept(record: InboxRecord): Promise<"accepted" | "duplicate"> {
    const { attempts, codec } = this.#options;
    const lease = { id: record.request_id, attempt: 1, tries: triesOf(attempts - 1), lane: laneOfRecord(record) };
    const taken: RecordJob = { ...lease, record, progress: {} };
    const { lanes } = this.jobs.store;
    const store = (as: Arrival["as"]) => acceptRecord(this.#database, record, { lanes, codec, as });
    const entered = await this.jobs.add(record.kind, store, (stored, as) => (stored === as ? taken : undefined));
    if (entered === "again") await this.#releaseUnknown(record);
    return entered === "duplicate" ? "duplicate" : "accepted";
  }

  /** Makes records that wait for people due now. One that a worker has is due once it is released. */
  wake(ids: readonly string[]): Promise<void> {
    return ids.length === 0 ? Promise.resolve() : this.jobs.wake(ids, ...waitingKinds);
  }

  /** Reads the record of a leased job. */
  read<K extends InboxRecord["kind"]>(job: LeasedJob<InboxColumn>): RecordJob<K> {
    return readRecord<K>(job, this.#options);
  }

  /** Resolves with the record of an input request, whichever process has it; undefined once it is done. */
  findInput(inputId: string): Promise<ShownInputRecord | undefined> {
    return this.#find(inputRecordId(inputId));
  }

  /** Resolves with the message that a form is about; undefined if none is kept. */
  async keptMessage(formId: string): Promise<PassedMessage | undefined> {
    return (await this.#find<KeptMessageRecord>(keptMessageId(formId)))?.message;
  }

  #rowOf(id: string) {
    return this.#database.db.selectFrom("job").where("id", "=", id);
  }

  async #find<Found extends InboxRecord>(id: string): Promise<Found | undefined> {
    const input = (await this.#rowOf(id).select("input").executeTakeFirst())?.input;
    return input == null ? undefined : (this.#options.codec.fromColumn(input, sealContexts.record(id)) as Found);
  }

  /** Resolves with the message that asks a person about each of these input requests, or the one in its thread, by the id of its record. */
  async cardsOf(requestIds: readonly string[], user_id: string): Promise<ReadonlyMap<string, MessagePlace>> {
    if (requestIds.length === 0) return new Map();
    const found = this.#database.db.selectFrom("job").select(["id", "shown"]);
    const rows = await found.where("id", "in", requestIds.map(inputRecordId)).execute();
    return new Map(
      rows.flatMap(({ id, shown }) => {
        const { cards } = JSON.parse(shown ?? '{"cards":[]}') as Required<Progress>["shown"];
        const card = cards.find((one) => one.user_id === user_id) ?? cards.find((one) => one.user_id === undefined);
        return card === undefined ? [] : [[id, card] as const];
      }),
    );
  }

  /** Resolves with the ids of the records of tasks in the target that wait for people. */
  async pausedIn(target: StopTarget): Promise<readonly string[]> {
    const { codec } = this.#options;
    const found = this.#database.db.selectFrom("job").select(["id", "input"]).where("kind", "=", "paused_task");
    const rows = await found.where("channel", "=", channelDigest(target)).execute();
    const threadIs = (thread: string): boolean => target.thread_ts === undefined || target.thread_ts === thread;
    return rows.flatMap(({ id, input }) =>
      threadIs((codec.fromColumn(input ?? "", sealContexts.record(id)) as InboxRecord).thread_ts) ? [id] : [],
    );
  }

  /** Stores progress, unless the lease was lost: then rejects with `LeaseLostError`. Absent members stay unchanged. With an answer, also joins the thread, if given, in the same commit. */
  async note(
    { id: request_id, attempt }: LeaseId,
    { placeholder, answer, attached, shown }: Progress,
    answered?: AnsweredThread,
  ): Promise<void> {
    const lease = { id: request_id, attempt };
    const values = {
      ...(placeholder !== undefined && { placeholder }),
      ...(answer && { answer: this.#options.codec.toColumn(answer, sealContexts.answer(request_id)) }),
      ...(attached !== undefined && { attached: Number(attached) }),
      ...(shown && { shown: JSON.stringify(shown) }),
    };
    if (answered === undefined) return mustBeLeased(await this.jobs.store.set(lease, values));
    const { thread, context_id, agent = null } = answered;
    const follower = followerOf(thread);
    const inThread = { digest: threadDigest(thread), team_id: thread.team_id, agent, context_id, follower };
    const row = { request_id, attempt, owner: this.jobs.store.owner(), ...inThread };
    mustBeLeased(await this.jobs.store.set(lease, values, [keepThread.query(this.#database.engine, [row])]));
  }

  /** Resolves with the state of a question, or of its task that waits, and its thread, which work on it needs. */
  standing(record: RecordHead): Promise<Standing> {
    return readStanding(this.#database, record);
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
      where channel = ${channelDigest(target)} ${inThread} and kind = 'ask' and state <> ${sql.lit(parked)}
        and (stopped_by is null or stopped_by = ${by})
        and not exists (select 1 from job as stop where stop.id = ${stopId} and stop.sequence < job.sequence)`.execute(
      this.#database.db,
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
    const marking = this.#database.db.updateTable("job").set({ stopped_by }).where("id", "in", ids);
    const unmarked = marking.where((row) =>
      row.or([row("stopped_by", "is", null), row("stopped_by", "=", stopped_by)]),
    );
    return Number((await unmarked.executeTakeFirst()).numUpdatedRows);
  }

  /** Marks records as withdrawn, even parked ones: their author deleted the message. */
  async withdraw(ids: readonly string[], { user_id }: { readonly user_id: string }): Promise<void> {
    if (ids.length === 0) return;
    const stopped_by = stoppedBy(withdrawnMark, user_id);
    await this.#database.db.updateTable("job").set({ stopped_by }).where("id", "in", ids).execute();
  }

  /** Resolves with how the question was ended from outside, if it was. */
  async endedBy(requestId: string): Promise<OutsideEnd | undefined> {
    return endingOf((await this.#rowOf(requestId).select("stopped_by").executeTakeFirst())?.stopped_by);
  }

  /**
   * Resolves with the questions that were stored after the place `after` and wait or are in work after `ageMs` milliseconds, oldest first, and
   * the place of the last. Reads the indexes of open jobs. Leaves out those that no key opens.
   */
  async questionsAfter(after: OpenPlace, { ageMs, most }: { readonly ageMs: number; readonly most: number }) {
    const { db, engine } = this.#database;
    const old = sql`created_at <= (select ${now(engine)} - ${ageMs}) and (created_at, id) > (${after.at}, ${after.id})`;
    const all = [ready, leased, behind].map(
      (state) =>
        sql`select id, attempt, created_at, input from job where state = ${sql.lit(state)} and share = 'ask' and kind = 'ask' and ${old}`,
    );
    const { rows } = await sql<OpenRow>`
      select * from (${sql.join(all, sql` union all `)}) as open order by created_at, id limit ${most}`.execute(db);
    const questions = rows.flatMap(({ id, attempt, input }): OpenQuestion[] => {
      const record = opened(() => this.#options.codec.fromColumn(input, sealContexts.record(id))) as
        Question | undefined;
      return record === undefined ? [] : [{ record, attempt }];
    });
    const last = rows.at(-1);
    return { questions, last: last === undefined ? after : { at: last.created_at, id: last.id } };
  }

  /** Resolves with true if the record exists. */
  async isOpen(requestId: string): Promise<boolean> {
    return (await this.#rowOf(requestId).select("id").executeTakeFirst()) !== undefined;
  }

  /** Resolves with the record of a question's task that waits for people: `done` once that is; undefined if the task has not waited. */
  async pauseOf(requestId: string): Promise<PausedTaskRecord | "done" | undefined> {
    const claims = this.#database.db.selectFrom("claim").where("digest", "=", claimOf(pausedClaim(requestId)));
    const joined = claims.leftJoin("job", "job.id", "claim.request_id").select(["claim.request_id", "job.input"]);
    const found = await joined.executeTakeFirst();
    if (found === undefined || found.input === null) return found && "done";
    return this.#options.codec.fromColumn(found.input, sealContexts.record(found.request_id)) as PausedTaskRecord;
  }

  /** Resolves with true if the question still waits for its first lease, and nobody stopped it. */
  async isWaiting(requestId: string): Promise<boolean> {
    const unmarked = this.#rowOf(requestId).where("stopped_by", "is", null).where("attempt", "=", 0);
    const waiting = unmarked.select("id").where("state", "in", [ready, behind]);
    return (await waiting.executeTakeFirst()) !== undefined;
  }

  /** Resolves with the number of open questions of a thread. Those that were stopped or deleted count no longer as waiting. */
  async queueIn(thread: TeamThread): Promise<ThreadQueue> {
    const lane = laneOf("ask", thread);
    const { rows } = await sql<{ readonly state: number; readonly count: number; readonly answers: number }>`
      select state, count(*) as count, count(answer) as answers from job where lane = ${lane} and lane is not null and state in (0, 1, 3)
        and (state = 1 or stopped_by is null) group by state
      union all select 2, count(*), 0 from job where lane = ${lane} and state = 2 and stopped_by is null`.execute(
      this.#database.db,
    );
    const countOf = (of: number): number => rows.find(({ state }) => state === of)?.count ?? 0;
    const { answers: answered = 0 } = rows.find(({ state }) => state === leased) ?? {};
    return { waiting: countOf(ready) + countOf(behind), inWork: countOf(leased), answered };
  }

  /**
   * Resolves with how many records wait for a worker, are in work, and failed too often, so that they need an operator; and the age of the oldest that
   * is not parked, milliseconds. It scans the whole inbox, in one statement: call it only when metrics are scraped.
   */
  async load() {
    const { db, engine } = this.#database;
    const ageMs = sql<number>`${now(engine)} - min(created_at)`.as("ageMs");
    const rows = await db
      .selectFrom("job")
      .select((row) => ["state", row.fn.countAll<number>().as("count"), ageMs])
      .where(sql<boolean>`${sql.raw(countedRecords)}`)
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

  /** Releases a record whose first response was lost: it may be leased to this process without its knowledge. */
  async #releaseUnknown({ request_id: id, kind }: InboxRecord): Promise<void> {
    if (this.jobs.has(kind, id)) return;
    await this.jobs.store.release([{ id, attempt: 1 }], { counted: false });
    this.jobs.lookFor(kind);
  }
}

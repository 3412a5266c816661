import {
  type Arrival,
  type ClockJump,
  createJobEvents,
  createJobLease,
  type JobEvents,
  type JobLease,
  JobStore,
  type JobWorker,
  type LeasedJob,
  type LeaseId,
} from "@crosszone/jobs";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { LeaseLostError, type UnreadableRecordError } from "./endings.ts";
import { InboxQueries } from "./inbox-queries.ts";
import {
  acceptRecord,
  type InboxColumn,
  inboxJobs,
  type ReadOptions,
  readRecord,
  recordGuard,
  recordJob,
  type RecordJob,
  sealContexts,
  channelOf,
  followerOf,
  laneOfRecord,
  threadOf,
} from "./record-rows.ts";
import {
  type InboxRecord,
  inputRecordId,
  type InputRecord,
  type Progress,
  type RecordLease,
  type StopTarget,
  type TakenRecord,
  waitingKinds,
} from "./records.ts";
import { type AnsweredThread, keepThread } from "./thread-store.ts";

export interface InboxOptions extends ReadOptions {
  /** How long this process's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** Maximum number of open records. */
  readonly most: number;
  /** Called after a jump of the database's clock, in the one process that has moved the deadlines of open work. */
  readonly onClockJump?: (ms: number) => void;
}

/** The workers of this process, as its inbox needs them. Must not throw. */
export interface InboxProcess {
  /** Returns the worker for records of this kind, if this process has one. */
  readonly workerOf: (kind: InboxRecord["kind"]) => JobWorker<RecordJob> | undefined;
  readonly isRunning: (requestId: string) => boolean;
  /** Records may be available: of this kind, or of any when it is absent. */
  readonly onReady: (kind?: string) => void;
  /** Other processes have this process's records, or may have them soon: it must stop all work, and post nothing. */
  readonly onLost: () => void;
  /** The lease could not be renewed or the inbox not be read; the operation is repeated. */
  readonly onFailure: (cause: unknown) => void;
}

/**
 * Stores records from before Slack's event is acknowledged until they are done. Several processes can share one inbox. A record is leased
 * to one of them; when that process stops renewing its lease, another one leases the record. Methods without a lease are safe to repeat
 * after a lost response.
 */
export class Inbox extends InboxQueries {
  /** Other processes may have this one's records when it is over. */
  readonly lease: JobLease;
  /** Records as jobs; their kind is their share. Only the oldest record of a thread and kind can be leased, once it is due. */
  readonly jobs: JobStore<InboxColumn>;
  readonly #options: InboxOptions;
  readonly #events: JobEvents;
  #process: InboxProcess | undefined;
  #healing: NodeJS.Timeout | undefined;
  #listening: Promise<void> | undefined;

  constructor(database: VerificationDatabase, options: InboxOptions) {
    super(database);
    const { leaseMs, most } = options;
    const onReady = (kind?: string): void => this.#process?.onReady(kind);
    const onLost = (): void => this.#process?.onLost();
    const failed = (_operation: string, cause: unknown): void => this.#process?.onFailure(cause);
    this.#options = options;
    const moving = ({ ms }: ClockJump) => [sql`update handle set expires_at = expires_at + ${sql.lit(ms)}`];
    const noticing = { moving, onJump: options.onClockJump };
    this.lease = createJobLease({
      database,
      leaseMs,
      givesUp: true,
      onLost,
      onReaped: () => onReady(),
      failed,
      ...noticing,
    });
    const guard = recordGuard(database.engine, most);
    const onPromoted = (): void => onReady();
    this.jobs = new JobStore({ database, lease: this.lease, schema: inboxJobs, onPromoted, guard });
    this.#events = createJobEvents(database);
    this.#events.onReady((kind, atFront) => {
      if (atFront) this.jobs.lanes.lookAtFront();
      onReady(kind);
    });
  }

  /**
   * Begins and renews this process's lease, which it needs to lease records. Listens for records that other processes store. Safe to repeat
   * after an error.
   */
  async open(process: InboxProcess): Promise<void> {
    this.#process = process;
    await this.lease.start();
    await (this.#listening ??= this.#events.start());
    this.#healing ??= setInterval(() => void this.#heal(process), this.lease.leaseMs).unref();
  }

  /** Ends the lease. Records still leased are available to other processes soon. */
  async close(): Promise<void> {
    clearInterval(this.#healing);
    await this.#listening;
    await this.#events.stop();
    await this.lease.stop();
  }

  /**
   * Stores the record with its claims: atomic, and durable once it resolves. `duplicate` if another record has any of its claims, even a
   * finished one; claims are stored for at least a day. Rejects if the record may not be stored; the same record can then be passed again.
   */
  async accept(record: InboxRecord): Promise<"accepted" | "duplicate"> {
    const { attempts, codec } = this.#options;
    const worker = this.#process?.workerOf(record.kind);
    const taken = { record, attempt: 1, triesLeft: attempts - 1, lane: laneOfRecord(record), progress: {} };
    const store = (as: Arrival["as"]) => acceptRecord(this.database, record, { lanes: this.jobs.lanes, codec, as });
    const entered = await (worker === undefined
      ? store("ready")
      : worker.add(record.kind, store, (stored, as) => (stored === as ? recordJob(taken) : undefined)));
    if (entered === "again") await this.#releaseUnknown(record);
    return entered === "duplicate" ? "duplicate" : "accepted";
  }

  /** Makes records that wait for people due now. One that a worker has is due once it is released. A power loss may undo it. */
  async wake(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.unflushed((db) => this.jobs.queries.wake(ids).execute(db));
    for (const kind of waitingKinds) this.#process?.onReady(kind);
  }

  /** Reads the record of a leased job. */
  read<K extends InboxRecord["kind"]>(job: LeasedJob<InboxColumn>): TakenRecord<K> | UnreadableRecordError {
    return readRecord<K>(job, this.#options);
  }

  /** Resolves with the record of an input request, whichever process has it; undefined once it is done. */
  async findInput(inputId: string): Promise<InputRecord | undefined> {
    const id = inputRecordId(inputId);
    const found = this.database.db.selectFrom("job").select("input").where("id", "=", id);
    const input = (await found.executeTakeFirst())?.input;
    return input == null ? undefined : (this.#options.codec.fromColumn(input, sealContexts.record(id)) as InputRecord);
  }

  /** Resolves with the ids of the records of tasks in the target that wait for people. */
  async pausedIn(target: StopTarget): Promise<readonly string[]> {
    const { codec } = this.#options;
    const found = this.database.db.selectFrom("job").select(["id", "input"]).where("kind", "=", "paused_task");
    const rows = await found.where("channel", "=", channelOf(target)).execute();
    const threadIs = (thread: string): boolean => target.thread_ts === undefined || target.thread_ts === thread;
    return rows.flatMap(({ id, input }) =>
      threadIs((codec.fromColumn(input ?? "", sealContexts.record(id)) as InboxRecord).thread_ts) ? [id] : [],
    );
  }

  /** Stores progress, unless the lease was lost: then rejects with `LeaseLostError`. Absent members stay unchanged. With an answer, also joins the thread, if given, in the same commit. */
  async note(
    lease: RecordLease,
    { placeholder, answer, attached, shown }: Progress,
    answered?: AnsweredThread,
  ): Promise<void> {
    const { id: request_id, attempt } = jobOf(lease);
    const values = {
      ...(placeholder !== undefined && { placeholder }),
      ...(answer && { answer: this.#options.codec.toColumn(answer, sealContexts.answer(request_id)) }),
      ...(attached !== undefined && { attached: Number(attached) }),
      ...(shown && { shown: JSON.stringify(shown) }),
    };
    if (answered === undefined) return mustBeLeased(await this.jobs.set(jobOf(lease), values));
    const { thread, context_id, agent = null } = answered;
    const follower = followerOf(thread);
    const inThread = { digest: threadOf(thread), team_id: thread.team_id, agent, context_id, follower };
    const row = { request_id, attempt, owner: this.jobs.owner(), ...inThread };
    mustBeLeased(await this.jobs.set(jobOf(lease), values, [keepThread.query(this.database.engine, [row])]));
  }

  /** Releases a record whose first response was lost: it may be leased to this process without its knowledge. */
  async #releaseUnknown({ request_id: id }: InboxRecord): Promise<void> {
    if (this.#process === undefined || this.#process.isRunning(id)) return;
    await this.jobs.release([{ id, attempt: 1 }], { counted: false });
    this.#process.onReady();
  }

  async #heal(process: InboxProcess): Promise<void> {
    try {
      if ((await this.jobs.lanes.heal()) > 0) process.onReady();
    } catch (cause) {
      process.onFailure(cause);
    }
  }
}

const jobOf = ({ record, attempt }: RecordLease): LeaseId => ({ id: record.request_id, attempt });

function mustBeLeased(isLeased: boolean): void {
  if (!isLeased) throw new LeaseLostError("the lease of the record was lost");
}

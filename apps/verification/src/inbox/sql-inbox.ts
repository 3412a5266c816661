import { createJobEvents, createJobLease, createLaneStore, storeEntry } from "@crosszone/jobs";
import type { JobEntry, LaneStore, LeaseId } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { laneOfRecord, threadOf } from "./digests.ts";
import { LeaseLostError } from "./endings.ts";
import { inboxJobs, sealContexts, type InboxColumn } from "./inbox-jobs.ts";
import { createInboxQueries } from "./inbox-queries.ts";
import type { Inbox, InboxProcess } from "./inbox.ts";
import { acceptRecord, readRecord, recordGuard, type ReadOptions, type RecordJob, recordJob } from "./record-rows.ts";
import type { InboxRecord, RecordLease } from "./records.ts";
import { keepThread } from "./thread-store.ts";

export interface SqlInboxOptions extends ReadOptions {
  readonly leaseMs: number;
  /** Maximum number of open records. */
  readonly most: number;
}

/** Makes the inbox of one process in the zone's database. */
export function createSqlInbox(database: VerificationDatabase, options: SqlInboxOptions): Inbox {
  const { leaseMs, most, codec } = options;
  let process: InboxProcess | undefined;
  let healing: NodeJS.Timeout | undefined;
  let listening: Promise<void> | undefined;
  const onReady = (kind?: string): void => process?.onReady(kind);
  const onFailure = (cause: unknown): void => process?.onFailure(cause);
  const failed = (_operation: string, cause: unknown): void => onFailure(cause);
  const onLost = (): void => process?.onLost();
  const lease = createJobLease({ database, leaseMs, givesUp: true, onLost, onReaped: () => onReady(), failed });
  const jobs = createLaneStore({
    database,
    lease,
    schema: inboxJobs,
    onPromoted: () => onReady(),
    guard: recordGuard(database.engine, most),
  });
  const events = createJobEvents(database);
  events.onReady((kind, atFront) => {
    if (atFront) jobs.lookAtFront();
    onReady(kind);
  });

  async function heal(): Promise<void> {
    if ((await jobs.heal()) > 0) onReady();
  }

  const accept = acceptance(database, { options, jobs, process: () => process });

  return {
    leaseMs,
    open: async (opened) => {
      process = opened;
      await lease.start();
      await (listening ??= events.start());
      healing ??= setInterval(() => void heal().catch(onFailure), leaseMs).unref();
    },
    close: async () => {
      clearInterval(healing);
      await listening;
      await events.stop();
      await lease.stop();
    },
    isLeaseOver: lease.isOver,
    accept: (record) => accept(record, lease.isOver() ? undefined : process?.enter(record.kind)),
    jobs,
    read: (job) => readRecord(job, options),
    ...leasedWrites(jobs, { codec, engine: database.engine }),
    ...createInboxQueries(database),
  };
}

interface AcceptanceParts {
  readonly options: SqlInboxOptions;
  readonly jobs: LaneStore<InboxColumn>;
  readonly process: () => InboxProcess | undefined;
}

/** Makes the function that stores an arriving record. */
function acceptance(
  database: VerificationDatabase,
  { options: { attempts, codec }, jobs, process }: AcceptanceParts,
): (record: InboxRecord, entry: JobEntry<RecordJob> | undefined) => Promise<"accepted" | "duplicate"> {
  /** Releases a record whose first response was lost: it may be leased to this process without its knowledge. */
  async function releaseUnknown({ request_id: id }: InboxRecord): Promise<void> {
    const workers = process();
    if (workers === undefined || workers.isRunning(id)) return;
    await jobs.release([{ id, attempt: 1 }], { counted: false });
    workers.onReady();
  }

  return async (record, entry = unattended) => {
    const taken = { record, attempt: 1, triesLeft: attempts - 1, lane: laneOfRecord(record), progress: {} };
    const entered = await storeEntry(
      entry,
      (as) => acceptRecord(database, record, { lanes: jobs, codec, as }),
      (stored) => (stored === entry.as ? recordJob(taken) : undefined),
    );
    if (entered === "again") await releaseUnknown(record);
    return entered === "duplicate" ? "duplicate" : "accepted";
  };
}

/** For a record that no worker of this process waits for. */
const unattended: JobEntry<RecordJob> = { as: "ready", stored: () => undefined, notStored: () => undefined };

/** Makes the methods that change a leased record. They reject with a `LeaseLostError` if its lease was lost. */
function leasedWrites(
  jobs: LaneStore<InboxColumn>,
  { codec, engine }: { readonly codec: RecordCodec } & Pick<VerificationDatabase, "engine">,
): Pick<Inbox, "note" | "complete" | "retryLater" | "release" | "park"> {
  const release = async (
    lease: RecordLease,
    how: { readonly counted: boolean; readonly afterMs: number },
  ): Promise<void> => mustBeLeased((await jobs.release([jobOf(lease)], how))[0]);
  return {
    note: async (lease, { placeholder, answer, attached }, answered) => {
      const { id: request_id, attempt } = jobOf(lease);
      const values = {
        ...(placeholder !== undefined && { placeholder }),
        ...(answer !== undefined && { answer: codec.toColumn(answer, sealContexts.answer(request_id)) }),
        ...(attached !== undefined && { attached: Number(attached) }),
      };
      if (answered === undefined) return mustBeLeased(await jobs.set(jobOf(lease), values));
      const { thread, context_id, agent = null } = answered;
      const inThread = { digest: threadOf(thread), team_id: thread.team_id, agent, context_id };
      const row = { request_id, attempt, owner: jobs.owner(), ...inThread };
      mustBeLeased(await jobs.setWith(jobOf(lease), values, [keepThread.query(engine, [row])]));
    },
    complete: async (lease) => mustBeLeased(await jobs.end({ ...jobOf(lease), lane: lease.lane })),
    retryLater: (lease, afterMs) => release(lease, { counted: true, afterMs }),
    release: (lease, afterMs = 0) => release(lease, { counted: false, afterMs }),
    park: async (lease, why) =>
      mustBeLeased(await jobs.park({ ...jobOf(lease), lane: lease.lane }, { parked_because: why })),
  };
}

const jobOf = ({ record, attempt }: RecordLease): LeaseId => ({ id: record.request_id, attempt });

function mustBeLeased(isLeased: boolean | undefined): void {
  if (isLeased !== true) throw new LeaseLostError("the lease of the record was lost");
}

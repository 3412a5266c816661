import { createJobWorker, type LeaseId, type JobKind, type JobWorker } from "@crosszone/jobs";
import { UnreadableRecordError } from "./endings.ts";
import type { InboxColumn } from "./inbox-jobs.ts";
import type { InboxWork, Kind } from "./inbox-work.ts";
import type { InboxProcess } from "./inbox.ts";
import { workOnRecord, type Leased, type RecordWorkDeps } from "./work-on-record.ts";

/** Processes the records of one kind. */
export interface KindWorker {
  readonly worker: JobWorker;
  readonly enter: InboxProcess["enter"];
}

export interface KindWorkerDeps extends RecordWorkDeps {
  /** How often to check for available records, milliseconds. */
  readonly pollMs: number;
}

/** Makes the worker of one kind of record. */
export function createKindWorker<K extends Kind>(deps: KindWorkerDeps, how: InboxWork<K> & { kind: K }): KindWorker {
  const { inbox, callInbox, pollMs } = deps;
  const { kind } = how;
  const run = (leased: Leased<K>) => workOnRecord(deps, leased, how);
  const worker = createJobWorker<InboxColumn>({
    store: {
      waitingShares: (of) => callInbox(() => inbox.jobs.waitingShares(of)),
      take: async (wanted) => {
        if (inbox.isLeaseOver()) return [];
        const taking = inbox.jobs.take(wanted);
        return callInbox(() => taking).catch((error: unknown) => {
          // Jobs that arrive too late have no worker.
          void taking.then((late) => release(deps, late)).catch(() => undefined);
          throw error;
        });
      },
      lost: (leases) => callInbox(() => inbox.jobs.lost(leases)),
      leases: (of) => callInbox(() => inbox.jobs.leases(of)),
      release: (leases, { afterMs }) => release(deps, leases, afterMs),
    },
    lease: inbox,
    kind: { kind, ...roomFor(how.concurrency), run: (job) => run(read(() => inbox.read<K>(job))) },
    observer: { storeFailed: () => undefined },
    idleMs: pollMs,
  });
  return {
    worker,
    enter: () => {
      const { as, stored, notStored } = worker.enter(kind);
      return {
        as,
        stored: (taken) => {
          const lease = { id: taken.record.request_id, attempt: taken.attempt };
          stored(lease, () => run({ taken: taken as never }));
        },
        notStored,
      };
    },
  };
}

async function release(
  { inbox, callInbox }: Pick<KindWorkerDeps, "inbox" | "callInbox">,
  leases: readonly LeaseId[],
  afterMs = 0,
): Promise<void> {
  const releaseOne = ({ id, attempt }: LeaseId): Promise<void> =>
    callInbox(() => inbox.release({ record: { request_id: id }, attempt }, afterMs));
  await Promise.allSettled(leases.map(releaseOne));
}

function read<K extends Kind>(takenOf: () => NonNullable<Leased<K>["taken"]>): Leased<K> {
  try {
    return { taken: takenOf() };
  } catch (error) {
    if (error instanceof UnreadableRecordError) return { error };
    throw error;
  }
}

/** Limits how many records of a kind are processed at a time. */
function roomFor(concurrency: number): Pick<JobKind, "room" | "free" | "reserve"> {
  let used = 0;
  const room = (): number => concurrency - used;
  return {
    room,
    free: room,
    reserve: () => {
      if (room() <= 0) return undefined;
      used += 1;
      let isFree = false;
      return () => {
        if (!isFree) used -= 1;
        isFree = true;
      };
    },
  };
}

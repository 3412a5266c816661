import { setTimeout as delay } from "node:timers/promises";
import { type JobWorker, createJobWorker, type LeaseId, type JobKind } from "@crosszone/jobs";
import type { Backoff } from "@crosszone/sql";
import { createInboxCalls, type InboxObserver, type InboxWork, type Kind } from "./inbox-work.ts";
import type { Inbox, InboxProcess } from "./inbox.ts";
import { UnreadableRecordError } from "./endings.ts";
import type { InboxColumn } from "./inbox-jobs.ts";
import { workOnRecord, type Leased, type RecordWorkDeps } from "./work-on-record.ts";

interface InboxWorkerOptions {
  readonly inbox: Inbox;
  readonly work: { readonly [K in Kind]?: InboxWork<K> };
  /** How often to check for records that other processes accepted or released without a notification, milliseconds (default 1000). */
  readonly pollMs?: number;
  /** Pauses between attempts of one record (default: from a second to five minutes). */
  readonly backoff?: Backoff;
  readonly observer: InboxObserver;
  /** Returns why a record is parked, without private data. */
  readonly reasonOf: (error: unknown) => string;
}

export interface InboxWorker {
  /** Begins this process's lease, then looks for work. Records that are accepted by the inbox from then on start here at once. */
  readonly start: () => void;
  readonly running: () => number;
  /**
   * Leases no further records, and lets current work end within `graceMs` milliseconds. Releases the others: other processes can lease
   * them after `afterMs` milliseconds, because an operation in progress, such as a post, can still take effect and must be found.
   */
  readonly stop: (graceMs: number, afterMs: number) => Promise<void>;
}

const usualBackoff = { firstMs: 1_000, longestMs: 300_000 };

/** Processes an inbox, together with other processes: oldest first, with limited concurrency, in order within a thread. */
export function createInboxWorker(options: InboxWorkerOptions): InboxWorker {
  const { inbox, work, pollMs = 1_000, backoff = usualBackoff, observer, reasonOf } = options;
  const { callInbox, failed } = createInboxCalls(inbox.leaseMs / 4, observer);
  const deps = { inbox, callInbox, observer, backoff, reasonOf, pollMs };
  const kindWorker = <K extends Kind>(kind: K): KindWorker =>
    createKindWorker(deps, { ...(work[kind] as InboxWork<K>), kind });
  const workers = new Map((Object.keys(work) as Kind[]).map((kind) => [kind, kindWorker(kind)]));
  const all = (): JobWorker[] => [...workers.values()].map(({ worker }) => worker);
  const stopping = new AbortController();
  let beginning: Promise<void> | undefined;

  function wake(kind?: string): void {
    for (const [of, { worker }] of workers) if (kind === undefined || kind === of) worker.wake();
  }

  const process: InboxProcess = {
    enter: (kind) =>
      workers.get(kind)?.enter(kind) ?? { as: "ready", stored: () => wake(), notStored: () => undefined },
    isRunning: (id) => all().some((worker) => worker.find(id) !== undefined),
    onReady: wake,
    onLost: () => {
      for (const worker of all()) worker.lose();
    },
    onFailure: failed,
  };

  async function begin(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        await callInbox(() => inbox.open(process));
        for (const worker of all()) worker.start();
        return;
      } catch {
        await delay(pollMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    start: () => void (beginning ??= begin()),
    running: () => all().reduce((sum, worker) => sum + worker.running(), 0),
    stop: async (graceMs, afterMs) => {
      stopping.abort();
      await beginning;
      await Promise.all(all().map((worker) => worker.stop(graceMs, afterMs)));
      await inbox.close();
    },
  };
}

/** Processes the records of one kind. */
interface KindWorker {
  readonly worker: JobWorker;
  readonly enter: InboxProcess["enter"];
}

interface KindWorkerDeps extends RecordWorkDeps {
  /** How often to check for available records, milliseconds. */
  readonly pollMs: number;
}

/** Makes the worker of one kind of record. */
function createKindWorker<K extends Kind>(deps: KindWorkerDeps, how: InboxWork<K> & { kind: K }): KindWorker {
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

import { setTimeout as delay } from "node:timers/promises";
import { createJobWorker, type LeaseId, type JobKind, type JobWorker } from "@crosszone/jobs";
import type { Backoff } from "@crosszone/sql";
import type { InboxWatch, InboxWork, Kind } from "./inbox-work.ts";
import type { Inbox, InboxProcess } from "./inbox.ts";
import type { InboxColumn } from "./inbox-jobs.ts";
import { UnreadableRecordError } from "./endings.ts";
import { createReach } from "./reach.ts";
import { workOnRecord, type Leased } from "./work-on-record.ts";

export interface InboxWorkerOptions {
  readonly inbox: Inbox;
  readonly work: { readonly [K in Kind]?: InboxWork<K> };
  /** How often to check for records that other processes accepted or released, in case nothing told of them, milliseconds (default 1000). */
  readonly pollMs?: number;
  /** Pauses between attempts of one record (default: from a second to five minutes). */
  readonly backoff?: Backoff;
  readonly watch: InboxWatch;
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
  const { inbox, work, pollMs = 1_000, backoff = usualBackoff, watch, reasonOf } = options;
  const { reach, failed } = createReach(inbox.leaseMs / 4, watch);
  const deps = { inbox, reach, watch, backoff, reasonOf };
  const workers = new Map((Object.keys(work) as Kind[]).map((kind) => [kind, startable(kind)]));
  const all = (): JobWorker[] => [...workers.values()].map(({ worker }) => worker);
  const stopping = new AbortController();
  let beginning: Promise<void> | undefined;

  function startable<K extends Kind>(kind: K): { readonly worker: JobWorker; readonly enter: InboxProcess["enter"] } {
    const how = { ...(work[kind] as InboxWork<K>), kind };
    const run = (leased: Leased<K>) => workOnRecord(deps, leased, how);
    const worker = createJobWorker<InboxColumn>({
      store: {
        waitingShares: (of) => reach(() => inbox.jobs.waitingShares(of)),
        take: async (wanted) => {
          if (inbox.isLeaseOver()) return [];
          const taking = inbox.jobs.take(wanted);
          return reach(() => taking).catch((error: unknown) => {
            // Jobs that arrive too late have no worker.
            void taking.then((late) => release(late)).catch(() => undefined);
            throw error;
          });
        },
        lost: (held) => reach(() => inbox.jobs.lost(held)),
        leases: (of) => reach(() => inbox.jobs.leases(of)),
        release: (held, { afterMs }) => release(held, afterMs),
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
          stored: (entry) => {
            const held = { id: entry.record.request_id, attempt: entry.attempt };
            stored(held, () => run({ entry: entry as never }));
          },
          notStored,
        };
      },
    };
  }

  async function release(held: readonly LeaseId[], afterMs = 0): Promise<void> {
    const handBack = ({ id, attempt }: LeaseId): Promise<void> =>
      reach(() => inbox.handBack({ record: { request_id: id }, attempt }, afterMs));
    await Promise.allSettled(held.map(handBack));
  }

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
        await reach(() => inbox.open(process));
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

function read<K extends Kind>(entryOf: () => NonNullable<Leased<K>["entry"]>): Leased<K> {
  try {
    return { entry: entryOf() };
  } catch (error) {
    if (error instanceof UnreadableRecordError) return { error };
    throw error;
  }
}

/** The room of a kind: at most this many records at a time. */
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

import { setTimeout as delay } from "node:timers/promises";
import { type JobRun, type JobWorker, type JobWorkerDeps, createJobWorker, createRoom } from "@crosszone/jobs";
import type { Backoff } from "@crosszone/service-kit/timing";
import { createOutage, type Outage, type InboxObserver, type InboxWork, type Kind } from "./inbox-work.ts";
import type { Inbox, InboxProcess } from "./inbox.ts";
import type { UnreadableRecordError } from "./endings.ts";
import type { InboxColumn } from "./inbox-jobs.ts";
import type { TakenRecord } from "./records.ts";
import { workOnRecord } from "./work-on-record.ts";

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
  const outage = createOutage(observer);
  const deps = { inbox, outage, observer, backoff, reasonOf };
  const begin = <K extends Kind>(kind: K, leased: TakenRecord<K> | UnreadableRecordError): JobRun =>
    workOnRecord(deps, leased, { ...(work[kind] as InboxWork<K>), kind });
  const store = observedJobs(inbox, outage);
  const workers = new Map<Kind, JobWorker>();
  for (const kind of Object.keys(work) as Kind[])
    workers.set(
      kind,
      createJobWorker<InboxColumn>({
        store,
        lease: inbox,
        kind: { kind, ...createRoom(work[kind]?.concurrency ?? 0), run: (job) => begin(kind, inbox.read(job)) },
        observer: { storeFailed: (_operation, cause) => outage.failed(cause) },
        idleMs: pollMs,
      }),
    );
  const all = (): JobWorker[] => [...workers.values()];
  const stopping = new AbortController();
  let beginning: Promise<void> | undefined;

  const process: InboxProcess = {
    enter: (kind) => workers.get(kind)?.enter(kind),
    begin: (taken) => begin(taken.record.kind, taken),
    isRunning: (id) => all().some((worker) => worker.find(id) !== undefined),
    onReady: (kind) => {
      for (const [of, worker] of workers) if (kind === undefined || kind === of) worker.wake();
    },
    onLost: () => {
      for (const worker of all()) worker.lose();
    },
    onFailure: outage.failed,
  };

  async function open(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        await inbox.open(process);
        for (const worker of all()) worker.start();
        return;
      } catch (error) {
        outage.failed(error);
        await delay(pollMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    start: () => void (beginning ??= open()),
    running: () => all().reduce((sum, worker) => sum + worker.running(), 0),
    stop: async (graceMs, afterMs) => {
      stopping.abort();
      await beginning;
      await Promise.all(all().map((worker) => worker.stop(graceMs, afterMs)));
      await inbox.close();
    },
  };
}

/** The records as jobs, for workers: none is taken after the lease, and each look tells whether the inbox is back. */
function observedJobs(inbox: Inbox, { worked }: Outage): JobWorkerDeps<InboxColumn>["store"] {
  const { jobs } = inbox;
  return {
    ...jobs,
    waitingShares: async (kind) => {
      const shares = await jobs.waitingShares(kind);
      worked();
      return shares;
    },
    take: async (wanted) => (inbox.isLeaseOver() ? [] : jobs.take(wanted)),
    release: async (leases, how) => void (await jobs.release(leases, how)),
  };
}

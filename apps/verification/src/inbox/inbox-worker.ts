import { setTimeout as delay } from "node:timers/promises";
import { createJobWorker, type JobWorker } from "@crosszone/jobs";
import type { Emit } from "@crosszone/service-kit";
import type { Backoff } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { createOutage, type InboxWork, type Kind } from "./inbox-work.ts";
import type { Inbox, InboxProcess } from "./inbox.ts";
import type { RecordJob } from "./record-rows.ts";
import { recordKind, type RecordWorkDeps } from "./work-on-record.ts";

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
export function createInboxWorker(options: {
  readonly inbox: Inbox;
  readonly work: { readonly [K in Kind]?: InboxWork<K> };
  /** How often to check for records that other processes accepted or released without a notification, milliseconds (default 1000). */
  readonly pollMs?: number;
  /** Pauses between attempts of one record (default: from a second to five minutes). */
  readonly backoff?: Backoff;
  readonly emit: Emit<VerificationEvent>;
  readonly onEnded?: RecordWorkDeps["onEnded"];
  /** Returns why a record is parked, without private data. */
  readonly reasonOf: (error: unknown) => string;
}): InboxWorker {
  const { inbox, work, pollMs = 1_000, backoff = usualBackoff, emit, onEnded, reasonOf } = options;
  const outage = createOutage(emit);
  const deps = { inbox, emit, onEnded, backoff, reasonOf };
  const workers = new Map<Kind, JobWorker<RecordJob>>();
  const failed = (_operation: string, cause: unknown): void => outage.failed(cause);
  const { jobs: store, lease } = inbox;
  const parts = { store, lease, emit, failed, worked: outage.worked, idleMs: pollMs };
  for (const name of Object.keys(work) as Kind[]) {
    const kind = recordKind<Kind>(deps, name, work[name] as InboxWork<Kind>);
    workers.set(name, createJobWorker({ ...parts, kind }));
  }
  const all = (): JobWorker<RecordJob>[] => [...workers.values()];
  const stopping = new AbortController();
  let beginning: Promise<void> | undefined;

  const process: InboxProcess = {
    workerOf: (kind) => workers.get(kind),
    isRunning: (id) => all().some((worker) => worker.has(id)),
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

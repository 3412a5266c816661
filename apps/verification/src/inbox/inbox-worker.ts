import { setTimeout as delay } from "node:timers/promises";
import type { JobWorker } from "@crosszone/jobs";
import type { Backoff } from "@crosszone/sql";
import { createInboxCalls, type InboxObserver, type InboxWork, type Kind } from "./inbox-work.ts";
import type { Inbox, InboxProcess } from "./inbox.ts";
import { createKindWorker, type KindWorker } from "./kind-worker.ts";

export interface InboxWorkerOptions {
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

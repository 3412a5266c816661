import { backoffMs, type Backoff } from "../tasks/retry.ts";
import { HandBackError, LeaseLostError, UnanswerableError } from "./endings.ts";
import type { Inbox, InboxEntry, InboxRecord, TakenEntry } from "./inbox.ts";
import { createLeases, type Lease } from "./leases.ts";
import { createReach, type ReachWatch } from "./reach.ts";
import { settle } from "./settle.ts";

type Kind = InboxRecord["kind"];

/** How the records of one kind are worked on. */
export interface InboxWork<K extends Kind> {
  /** How many at the same time. */
  readonly concurrency: number;
  /**
   * Answers a record. `lease` aborts when somebody else has it, or may have. Resolves when it is done; a rejection says how it ends
   * otherwise: see `endings.ts`; after any other, it is tried again later.
   */
  readonly handle: (entry: InboxEntry<K>, lease: AbortSignal) => Promise<void>;
}

/** What came of one taking of a record. */
export const recordOutcomes = ["done", "retried", "parked", "unanswerable", "handed_back", "lost"] as const;

export interface InboxWatch extends ReachWatch {
  /** `error` is what the work rejected with; `waitMs` when it is tried again. */
  readonly ended: (
    entry: InboxEntry,
    outcome: (typeof recordOutcomes)[number],
    details: { readonly error?: unknown; readonly waitMs?: number; readonly why?: string },
  ) => void;
}

export interface InboxWorkerOptions {
  readonly inbox: Inbox;
  readonly work: { readonly [K in Kind]?: InboxWork<K> };
  /** How long the inbox leases a record, milliseconds. */
  readonly leaseMs: number;
  /** How often it looks for what others accepted or left behind, milliseconds (default 1000). */
  readonly pollMs?: number;
  /** Between the tries of one record (default: from a second to five minutes). */
  readonly backoff?: Backoff;
  readonly watch: InboxWatch;
  /** Says why a record is parked, without anything private. */
  readonly reasonOf: (error: unknown) => string;
}

export interface InboxWorker {
  /** Looks for work now. Call it when a record was accepted. */
  readonly wake: () => void;
  /** Resolves when nothing is left to do here: nothing is in work, and nothing may be taken. */
  readonly idle: () => Promise<void>;
  /** Takes nothing more; what is in work goes on. */
  readonly pause: () => void;
  /** Hands back what is still in work, whatever it does: for the end of the process, after `pause`. */
  readonly letGo: () => Promise<void>;
}

const usualBackoff = { firstMs: 1_000, longestMs: 300_000 };

/** Works through an inbox together with other processes: the oldest first, some at a time, in order within a thread. */
export function createInboxWorker(options: InboxWorkerOptions): InboxWorker {
  const { inbox, work, leaseMs, pollMs = 1_000, backoff = usualBackoff, watch, reasonOf } = options;
  const reach = createReach(leaseMs / 4, watch);
  const leases = createLeases({
    inbox,
    reach,
    leaseMs,
    onLost: (entry) => watch.ended(entry, "lost", {}),
  });
  const kinds = Object.keys(work) as Kind[];
  const inWork = new Map<Kind, Set<Promise<void>>>(kinds.map((kind) => [kind, new Set()]));
  let paused = false;
  let looking: Promise<void> | undefined;
  let again = false;
  let poll = nextPoll();

  async function look(): Promise<void> {
    do {
      again = false;
      await Promise.all(kinds.map((kind) => fill(kind)));
    } while (again);
  }

  async function fill<K extends Kind>(kind: K): Promise<void> {
    const { concurrency, handle } = work[kind] as InboxWork<K>;
    const busy = inWork.get(kind) as Set<Promise<void>>;
    for (;;) {
      if (paused || busy.size >= concurrency) return;
      const takenAt = performance.now();
      const taking = inbox.take(kind);
      const entry = await reach(() => taking).catch((error: unknown) => {
        // What comes too late is nobody's: others need not wait until its lease is over.
        void taking.then((late) => late && inbox.handBack(late)).catch(() => undefined);
        throw error;
      });
      if (entry === undefined) return;
      const working = workOn(entry, leases.hold(entry, takenAt), handle).finally(() => {
        busy.delete(working);
        wake();
      });
      busy.add(working);
    }
  }

  async function workOn<K extends Kind>(
    entry: TakenEntry<K>,
    lease: Lease,
    handle: InboxWork<K>["handle"],
  ): Promise<void> {
    try {
      if (entry.triesLeft < 0) return await park("it was taken too often and came to no end");
      await handle(entry, lease.signal);
      await settleAs("done", () => inbox.complete(entry));
    } catch (error) {
      if (lease.signal.aborted) return;
      if (error instanceof LeaseLostError) lease.lose();
      else if (error instanceof HandBackError) await settleAs("handed_back", () => inbox.handBack(entry));
      else if (error instanceof UnanswerableError)
        await settleAs("unanswerable", () => inbox.complete(entry), { error });
      else if (entry.triesLeft === 0) await park(reasonOf(error), error);
      else {
        const waitMs = Math.round(backoffMs(entry.attempt, backoff));
        await settleAs("retried", () => inbox.retryLater(entry, waitMs), { error, waitMs });
      }
    } finally {
      lease.release();
    }

    async function park(why: string, error?: unknown): Promise<void> {
      await settleAs("parked", () => inbox.park(entry, why), { why, error });
    }

    async function settleAs(
      outcome: (typeof recordOutcomes)[number],
      tell: () => Promise<void>,
      details: Parameters<InboxWatch["ended"]>[2] = {},
    ): Promise<void> {
      if (await settle(() => reach(tell), lease)) watch.ended(entry, outcome, details);
    }
  }

  function wake(): void {
    if (paused) return;
    again = true;
    looking ??= look()
      // It was told where it is asked; the next poll asks again.
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
        if (again) wake();
      });
  }

  function nextPoll(): NodeJS.Timeout {
    return setTimeout(
      () => {
        wake();
        poll = nextPoll();
      },
      pollMs * (0.75 + Math.random() / 2),
    );
  }

  async function idle(): Promise<void> {
    await looking;
    const working = [...inWork.values()].flatMap((busy) => [...busy]);
    if (working.length > 0) await Promise.race(working);
    return looking === undefined && working.length === 0 ? undefined : idle();
  }

  return {
    wake,
    idle,
    pause: () => {
      paused = true;
      clearTimeout(poll);
    },
    letGo: async () => {
      await Promise.all(
        leases.all().map(async ({ entry, end }) => {
          end(new HandBackError("the process ends"));
          await reach(() => inbox.handBack(entry)).then(
            () => watch.ended(entry, "handed_back", {}),
            // Its lease runs out, or it was told before how it has ended.
            () => undefined,
          );
        }),
      );
    },
  };
}

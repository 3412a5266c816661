import { backoffMs, type Backoff } from "../tasks/retry.ts";
import { HandBackError } from "./endings.ts";
import type { InboxWatch, InboxWork, Kind } from "./inbox-work.ts";
import { UnreadableRecordError, type Inbox, type TakenEntry } from "./inbox.ts";
import { createLeases } from "./leases.ts";
import { createReach } from "./reach.ts";
import { workOnRecord } from "./work-on-record.ts";

export interface InboxWorkerOptions {
  readonly inbox: Inbox;
  readonly work: { readonly [K in Kind]?: InboxWork<K> };
  /** How long the inbox leases a record, milliseconds. */
  readonly leaseMs: number;
  /** How often to check for records that other processes accepted or released, milliseconds (default 1000). */
  readonly pollMs?: number;
  /** Pauses between attempts of one record (default: from a second to five minutes). */
  readonly backoff?: Backoff;
  readonly watch: InboxWatch;
  /** Returns why a record is parked, without private data. */
  readonly reasonOf: (error: unknown) => string;
}

export interface InboxWorker {
  /** Looks for work now. Call it after a record is accepted. */
  readonly wake: () => void;
  /** Resolves when no record is being processed and none is available. */
  readonly idle: () => Promise<void>;
  /** Leases no further records; current work continues. */
  readonly pause: () => void;
  /**
   * Releases all records still being processed. Call it at shutdown, after `pause`. Other processes can lease them after `afterMs`
   * milliseconds, because an operation in progress, such as a post, can still take effect and must be found.
   */
  readonly letGo: (afterMs: number) => Promise<void>;
}

/**
 * Pauses before an unreadable record is retried. Each retry counts as an attempt, and the record is parked in the end. With the default
 * number of attempts that takes an hour or two, enough to fix a start with the wrong keys.
 */
const unreadableBackoff = { firstMs: 60_000, longestMs: 3_600_000 };

const usualBackoff = { firstMs: 1_000, longestMs: 300_000 };

/** Processes an inbox, together with other processes: oldest first, with limited concurrency, in order within a thread. */
export function createInboxWorker(options: InboxWorkerOptions): InboxWorker {
  const { inbox, work, leaseMs, pollMs = 1_000, backoff = usualBackoff, watch, reasonOf } = options;
  const reach = createReach(leaseMs / 4, watch);
  const leases = createLeases({
    inbox,
    reach,
    leaseMs,
    onLost: (entry) => watch.ended(entry, "lost", {}),
  });
  const deps = { inbox, reach, watch, backoff, reasonOf };
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
    const how = work[kind] as InboxWork<K>;
    const busy = inWork.get(kind) as Set<Promise<void>>;
    for (;;) {
      if (paused || busy.size >= how.concurrency) return;
      const takenAt = performance.now();
      const entry = await takeInTime(kind);
      if (entry === undefined) return;
      const working = workOnRecord(deps, { entry, lease: leases.hold(entry, takenAt) }, how).finally(() => {
        busy.delete(working);
        wake();
      });
      busy.add(working);
    }
  }

  async function takeInTime<K extends Kind>(kind: K): Promise<TakenEntry<K> | undefined> {
    const taking = inbox.take(kind);
    try {
      return await reach(() => taking);
    } catch (error) {
      if (error instanceof UnreadableRecordError) return (await putAside(kind, error), takeInTime(kind));
      // A lease that arrives too late has no worker; release it, so that others need not wait for its expiry.
      void taking.then((late) => late && inbox.handBack(late)).catch(() => undefined);
      throw error;
    }
  }

  /** Counts as a failed attempt, not as an outage: the inbox has responded. */
  async function putAside(kind: Kind, error: UnreadableRecordError): Promise<void> {
    const { lease } = error;
    const entry = { record: { ...lease.record, kind }, attempt: lease.attempt };
    if (lease.triesLeft > 0) {
      const waitMs = Math.round(backoffMs(lease.attempt, unreadableBackoff));
      await reach(() => inbox.retryLater(lease, waitMs));
      watch.ended(entry, "retried", { error, waitMs });
    } else {
      const why = "the record cannot be read: a key may be missing";
      await reach(() => inbox.park(lease, why));
      watch.ended(entry, "parked", { error, why });
    }
  }

  function wake(): void {
    if (paused) return;
    again = true;
    looking ??= look()
      // Already reported; the next poll tries again.
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
    letGo: async (afterMs) => {
      await Promise.all(
        leases.all().map(async ({ entry, end }) => {
          end(new HandBackError("the process ends"));
          await reach(() => inbox.handBack(entry, afterMs)).then(
            () => watch.ended(entry, "handed_back", {}),
            // Its lease expires, or its ending was already recorded.
            () => undefined,
          );
        }),
      );
    },
  };
}

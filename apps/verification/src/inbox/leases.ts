import { LeaseLostError } from "./endings.ts";
import type { Held, Inbox, InboxEntry } from "./inbox.ts";
import type { Reach } from "./reach.ts";

export interface LeasesOptions {
  readonly inbox: Pick<Inbox, "renew">;
  readonly reach: Reach;
  readonly leaseMs: number;
  /** Called for each lease that ended before the work on its record did. */
  readonly onLost: (entry: InboxEntry) => void;
}

export interface Lease {
  readonly entry: InboxEntry;
  /** Aborts with a `LeaseLostError` when another process has the record, or may have it. */
  readonly signal: AbortSignal;
  /** Returns true if other processes can lease the record by now. */
  readonly isOver: () => boolean;
  /** Marks the lease as lost to another process. */
  readonly lose: () => void;
  /** Ends the lease for another reason, with which its signal aborts. */
  readonly end: (reason: Error) => void;
  /** Stops renewing the lease, because the work is over. */
  readonly release: () => void;
}

/** The leases of this process. All are renewed together, in one statement, while there are any. */
export interface Leases {
  /** `takenAt` is the time before the record was requested, from `performance.now()`. */
  readonly hold: (entry: InboxEntry, takenAt: number) => Lease;
  readonly all: () => readonly Lease[];
}

/**
 * Renews leases after a third of their duration, then retries six times per lease duration until it succeeds. This process's own clock also
 * counts: a lease that could not be renewed in time is given up before it expires for others.
 */
export function createLeases({ inbox, reach, leaseMs, onLost }: LeasesOptions): Leases {
  const tickMs = leaseMs / 6;
  const held = new Map<string, Lease & { renewedAt: number }>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;

  function tick(): void {
    const oldest = performance.now() - (leaseMs - tickMs);
    for (const lease of held.values()) if (lease.renewedAt < oldest) lease.lose();
    const isDue = held.values().some(({ renewedAt }) => performance.now() - renewedAt >= leaseMs / 3);
    if (isDue && !renewing) void renew();
  }

  async function renew(): Promise<void> {
    renewing = true;
    const asked = [...held.values()];
    const askedAt = performance.now();
    try {
      const lost = await reach(() => inbox.renew(asked.map(({ entry }) => entry)));
      const gone = new Set(lost.map(keyOf));
      for (const lease of asked)
        if (gone.has(keyOf(lease.entry))) lease.lose();
        else lease.renewedAt = askedAt;
    } catch {
      // The next tick tries again until the lease expires.
    } finally {
      renewing = false;
    }
  }

  return {
    hold: (entry, takenAt) => {
      const key = keyOf(entry);
      const controller = new AbortController();
      const release = (): void => {
        held.delete(key);
        if (held.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
      const end = (reason: Error): void => {
        release();
        controller.abort(reason);
      };
      const lose = (): void => {
        if (!held.has(key)) return;
        end(new LeaseLostError("the lease has ended"));
        onLost(entry);
      };
      const isOver = (): boolean => performance.now() - lease.renewedAt >= leaseMs;
      const lease = { entry, signal: controller.signal, isOver, lose, end, release, renewedAt: takenAt };
      held.set(key, lease);
      timer ??= setInterval(tick, tickMs);
      return lease;
    },
    all: () => [...held.values()],
  };
}

function keyOf({ record, attempt }: Held): string {
  return `${record.request_id} ${attempt}`;
}

import { LeaseLostError } from "./endings.ts";
import type { Held, Inbox, InboxEntry } from "./inbox.ts";
import type { Reach } from "./reach.ts";

export interface LeasesOptions {
  readonly inbox: Pick<Inbox, "renew">;
  readonly reach: Reach;
  readonly leaseMs: number;
  /** Told of each lease that ended though the work on its record had not. */
  readonly onLost: (entry: InboxEntry) => void;
}

export interface Lease {
  readonly entry: InboxEntry;
  /** Aborts with a `LeaseLostError` when somebody else has the record, or may have it by now. */
  readonly signal: AbortSignal;
  /** Whether others may take the record by now. */
  readonly isOver: () => boolean;
  /** Somebody else has it. */
  readonly lose: () => void;
  /** Ends it for another reason, with which its signal aborts. */
  readonly end: (reason: Error) => void;
  /** The work is over, the lease is renewed no more. */
  readonly release: () => void;
}

/** The leases of this process: all are renewed together, in one statement, for as long as any is held. */
export interface Leases {
  /** `takenAt`: before the record was asked for, by `performance.now()`. */
  readonly hold: (entry: InboxEntry, takenAt: number) => Lease;
  readonly all: () => readonly Lease[];
}

/**
 * Renews leases when a third of their time is over, then six times in a lease until it works. This process' own clock decides too:
 * a lease that could not be renewed in time is given up before it ends for the others.
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
      // The next tick tries again, until the time is over.
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

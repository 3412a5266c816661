import type { Emit } from "@crosszone/service-kit";
import type { JobLease } from "../lease/job-lease.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeasedJob, LeaseId } from "../table/job.ts";
import { type Arrivals, createArrivals } from "./arrivals.ts";
import { createLeaseChecks } from "./check-leases.ts";
import { createFairness } from "./fairness.ts";
import type { JobEvent, JobKind } from "./job-kind.ts";
import { createRunningJobs } from "./running-jobs.ts";
import { type Leftover, takeKind } from "./take-kind.ts";

export interface JobWorkerDeps<Own extends string, Job extends LeaseId> {
  readonly store: JobStore<Own>;
  readonly lease: JobLease;
  readonly kind: JobKind<Own, Job>;
  /** Reports attempts at jobs. */
  readonly emit?: Emit<JobEvent>;
  /** An operation of the store failed, and is repeated. Must not throw. */
  readonly failed: (operation: "take" | "renew" | "release" | "end", cause: unknown) => void;
  /** The store could be read for jobs to take. Must not throw. */
  readonly worked?: () => void;
  /** Longest time between polls for jobs of other processes without a notification, milliseconds (default 500). */
  readonly idleMs?: number;
}

/** Runs jobs of one kind in this process, up to its room, with shares in turn. */
export interface JobWorker<Job extends LeaseId = LeaseId> extends Arrivals<Job> {
  readonly start: () => void;
  /** Jobs of this share, or of any, may wait. */
  readonly wake: (share?: string) => void;
  /** Stops the work on a job that ended elsewhere, if it runs here. Returns whether it did. */
  readonly cancel: (id: string) => boolean;
  readonly has: (id: string) => boolean;
  readonly running: () => number;
  /** The lease of this process has expired: drops all its jobs. */
  readonly lose: () => void;
  /** Checks now whether jobs that run here were canceled or taken over. */
  readonly check: () => Promise<void>;
  /**
   * Takes no more jobs, lets running ones end within `graceMs` milliseconds, and releases the others. Other processes may take those after
   * `afterMs` (default 0), when the effects of the interrupted work are visible.
   */
  readonly stop: (graceMs: number, afterMs?: number) => Promise<void>;
}

export function createJobWorker<Own extends string, Job extends LeaseId>(
  deps: JobWorkerDeps<Own, Job>,
): JobWorker<Job> {
  const { store, lease, kind, failed, worked, idleMs = 500 } = deps;
  const [alarm, fairness] = [createAlarm(), createFairness()];
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  let left: Leftover = "nothing";
  let loops: readonly Promise<void>[] = [];
  const isStopping = (): boolean => stopping.signal.aborted;
  const roomLeft = (): number => (isStopping() ? 0 : kind.room());
  // Other processes may have this one's jobs when its lease is over.
  const roomToTake = (): number => (lease.isOver() ? 0 : roomLeft());
  const running = createRunningJobs({ ...deps, isStopping, onFreed: () => wakeIfFull() });
  const { runs, drop, endAll } = running;
  const start = (row: LeasedJob<Own>, free: () => void): void => running.start(kind.read(row), free);
  const taker = takeKind({ store, kind, fairness, failed, worked, roomLeft: roomToTake, start });
  const wakeIfFull = (): void => {
    if (left === "full") alarm.wake();
  };
  const wake = (share?: string): void => {
    taker.lookAgain(share);
    alarm.wake();
  };
  const arrivals = createArrivals({ lease, kind, fairness, running, roomLeft, wake, wakeIfFull });
  const { check, keepChecking } = createLeaseChecks({ store, lease, kind, running, failed, onReleased: wake });

  async function keepTaking(): Promise<void> {
    while (!isStopping()) {
      left = await taker.take();
      // Varies the pause, so that processes that started together drift apart.
      if (left !== "more") await alarm.sleep(idleMs * (0.75 + Math.random() / 2));
    }
  }

  return {
    start: () => {
      loops = [keepTaking(), keepChecking(stopped.signal)];
    },
    ...arrivals,
    wake,
    cancel: (id) => {
      const run = runs.get(id);
      if (run !== undefined) drop(run, "canceled");
      return run !== undefined;
    },
    has: (id) => runs.has(id),
    running: () => runs.size,
    lose: () => {
      for (const run of runs.values()) drop(run, "taken_over");
    },
    check,
    stop: async (graceMs, afterMs) => {
      stopping.abort();
      alarm.wake();
      await loops[0];
      await endAll(graceMs, afterMs);
      stopped.abort();
      await loops[1];
    },
  };
}

/** Lets one loop sleep until it is woken. A wake-up while nothing sleeps is remembered: the next sleep ends at once. */
export function createAlarm() {
  let isDue = false;
  let ring: (() => void) | undefined;
  return {
    wake: (): void => {
      isDue = true;
      ring?.();
    },
    /** Sleeps at most `ms` milliseconds; without `ms`, until it is woken. */
    sleep: async (ms?: number): Promise<void> => {
      if (!isDue) {
        const rung = Promise.withResolvers<void>();
        ring = rung.resolve;
        const timer = ms === undefined ? undefined : setTimeout(ring, ms);
        await rung.promise;
        clearTimeout(timer);
        ring = undefined;
      }
      isDue = false;
    },
  };
}

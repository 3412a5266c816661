import { setTimeout as delay } from "node:timers/promises";
import { type Emit, isKeyMissing } from "@crosszone/service-kit";
import { timerMs } from "@crosszone/service-kit/timing";
import type { JobLease } from "../store/job-lease.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeasedJob, LeaseId } from "../table/job-tables.ts";
import { createArrivals } from "./arrivals.ts";
import type { JobEvent, JobKind } from "./job-kind.ts";
import { createRunningJobs, leaveMs, type RunningJobs } from "./running-jobs.ts";
import { Fairness, type Leftover, takeKind } from "./take-kind.ts";

/** How often to check for jobs that ended or were taken elsewhere, milliseconds; callers are promised half a second. */
const checkMs = 400;

/** Shortest time between two checks for strays, milliseconds: a job that was just leased starts within it. */
const leastMs = 1_000;

/** Compares the jobs that run here with the leases of this process in the store. */
function createLeaseChecks<Own extends string, Job extends LeaseId>(deps: {
  readonly store: JobStore<Own>;
  readonly lease: JobLease;
  /** The kind whose shares are looked at. */
  readonly kind: JobKind<Own, Job>;
  readonly running: RunningJobs<Job>;
  readonly failed: (operation: "renew", cause: unknown) => void;
  /** Called when stray jobs were released. */
  readonly onReleased: () => void;
}) {
  const { store, lease, kind, running, failed, onReleased } = deps;
  const strayMs = Math.max(leastMs, lease.leaseMs / 3);
  let suspects = new Map<string, number>();
  let nextAt = performance.now() + strayMs;

  /** Drops the jobs that were canceled or taken over. Never rejects. */
  async function check(): Promise<void> {
    // The end of an ending job is being stored, and the store itself checks the lease.
    const working = [...running.runs.values()].filter(({ isEnding }) => !isEnding);
    if (working.length === 0) return;
    try {
      for (const { id, attempt, outcome } of await store.lost(working)) {
        const run = running.runs.get(id);
        if (run?.attempt === attempt) running.drop(run, outcome === "canceled" ? "canceled" : "taken_over");
      }
    } catch (cause) {
      failed("renew", cause);
    }
  }

  /**
   * Releases jobs leased to this process without a run: they were stored or taken, and the response was lost with the connection. It
   * looks three times per lease, and releases the jobs that it finds twice in a row.
   */
  async function releaseStrays(): Promise<void> {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + strayMs;
    try {
      const withoutRun = (await store.leases(kind.kind)).filter(({ id }) => !running.runs.has(id));
      const strays = withoutRun.filter(({ id, attempt }) => suspects.get(id) === attempt);
      suspects = new Map(withoutRun.map(({ id, attempt }) => [id, attempt]));
      await running.release(strays);
      if (strays.length > 0) onReleased();
    } catch (cause) {
      failed("renew", cause);
    }
  }

  return {
    check,
    /** Checks jobs and releases strays until `signal` is aborted. */
    keepChecking: async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        await delay(Math.min(checkMs, lease.leaseMs / 3), undefined, { signal, ref: false }).catch(() => undefined);
        await check();
        await releaseStrays();
      }
    },
  };
}

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
export function createJobWorker<Own extends string, Job extends LeaseId>(deps: JobWorkerDeps<Own, Job>) {
  const { store, lease, kind, failed, worked, idleMs = 500 } = deps;
  const [alarm, fairness] = [createAlarm(), new Fairness()];
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  let left: Leftover = "nothing";
  let loops: readonly Promise<void>[] = [];
  const isStopping = (): boolean => stopping.signal.aborted;
  const roomLeft = (): number => (isStopping() ? 0 : kind.room());
  // Other processes may have this one's jobs when its lease is over.
  const roomToTake = (): number => (lease.isOver() ? 0 : roomLeft());
  const running = createRunningJobs({ ...deps, isStopping, onFreed: () => wakeIfFull() });
  const { runs, drop, endAll } = running;
  const start = (row: LeasedJob<Own>, free: () => void): void => {
    try {
      running.start(kind.read(row), free);
    } catch (cause) {
      free();
      if (!isKeyMissing(cause)) throw cause;
      void running.release([row], Math.round(leaveMs()));
    }
  };
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
    start: (): void => {
      loops = [keepTaking(), keepChecking(stopped.signal)];
    },
    ...arrivals,
    /** Jobs of this share, or of any, may wait. */
    wake,
    /** Stops the work on a job that ended elsewhere, if it runs here. Returns whether it did. */
    cancel: (id: string): boolean => {
      const run = runs.get(id);
      if (run !== undefined) drop(run, "canceled");
      return run !== undefined;
    },
    has: (id: string): boolean => runs.has(id),
    running: (): number => runs.size,
    /** The lease of this process has expired: drops all its jobs. */
    lose: (): void => {
      for (const run of runs.values()) drop(run, "taken_over");
    },
    /** Checks now whether jobs that run here were canceled or taken over. */
    check,
    /**
     * Takes no more jobs, lets running ones end within `graceMs` milliseconds, and releases the others. Other processes may take those after
     * `afterMs` (default 0), when the effects of the interrupted work are visible.
     */
    stop: async (graceMs: number, afterMs?: number): Promise<void> => {
      stopping.abort();
      alarm.wake();
      await loops[0];
      await endAll(graceMs, afterMs);
      stopped.abort();
      await loops[1];
    },
  };
}

export type JobWorker<Job extends LeaseId = LeaseId> = ReturnType<typeof createJobWorker<never, Job>>;

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
        const timer = ms === undefined ? undefined : setTimeout(ring, timerMs(ms));
        await rung.promise;
        clearTimeout(timer);
        ring = undefined;
      }
      isDue = false;
    },
  };
}

/** Looks again and again from `start` to `stop`. `look` returns the time until the next look, milliseconds; `wake` ends it. `look` must not throw. */
export function createPolling(look: () => Promise<number>) {
  const [alarm, stopping] = [createAlarm(), new AbortController()];
  let ended: Promise<void> | undefined;

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) await alarm.sleep(await look());
  }

  return {
    wake: alarm.wake,
    start: (): void => {
      ended ??= keepLooking();
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      alarm.wake();
      await ended;
    },
  };
}

import { setTimeout as delay } from "node:timers/promises";
import { type Emit, isKeyMissing } from "@crosszone/service-kit";
import { timerMs } from "@crosszone/service-kit/timing";
import type { JobLease } from "../store/job-lease.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeasedJob, LeaseId } from "../table/job-tables.ts";
import type { JobEvent, JobKind, JobRoom } from "./job-kind.ts";
import { createRunningJobs, leaveMs, type RunningJobs } from "./running-jobs.ts";
import { Fairness, type Leftover, takeKind } from "./take-kind.ts";

export interface Arrival {
  /** `leased`: store it as leased to this process; it starts at once. `ready`: it waits. */
  readonly as: "leased" | "ready";
  /** Call it once, when it is known whether the job was stored. False: it existed, or the store didn't answer. */
  readonly settle: (isStored: boolean) => void;
}

type Settled = Pick<Arrival, "settle">;

/** Settles arrivals by what `store` resolves with: whether each job was stored. None was if it rejects. */
export async function storeArrivals(
  arrivals: readonly Settled[],
  store: () => Promise<readonly boolean[]>,
): Promise<readonly boolean[]> {
  let stored: readonly boolean[] = [];
  try {
    stored = await store();
    return stored;
  } finally {
    for (const [index, { settle }] of arrivals.entries()) settle(stored[index] === true);
  }
}

export const storeArrival = async (arrival: Settled, store: () => Promise<boolean>): Promise<boolean> =>
  (await storeArrivals([arrival], async () => [await store()]))[0] === true;

/**
 * Stores an arriving job with `store`, and resolves with its result. `jobOf` returns the job to start; undefined when it was not stored.
 * Returns `None` when the job can't enter.
 */
type AddJob<Job extends LeaseId, None = never> = <Result>(
  share: string,
  store: (as: Arrival["as"]) => Promise<Result>,
  jobOf: (result: Result, as: Arrival["as"]) => Job | undefined,
) => Promise<Result> | None;

/** Lets arriving jobs start here immediately, or wait behind others. */
function createArrivals<Job extends LeaseId>(deps: {
  readonly lease: JobLease;
  readonly kind: JobRoom;
  readonly fairness: Fairness;
  readonly running: RunningJobs<Job>;
  readonly roomLeft: () => number;
  readonly wake: (share?: string) => void;
  /** Looks for jobs that wait for a freed slot. */
  readonly wakeIfFull: () => void;
}) {
  const { lease, kind, fairness, running, roomLeft, wake, wakeIfFull } = deps;

  function enterHere(share: string, jobOf: () => Job): Arrival | undefined {
    const free = roomLeft() > 0 ? kind.reserve(share) : undefined;
    if (free === undefined) return undefined;
    const settle = (isStored: boolean): void => {
      if (isStored) return running.start(jobOf(), free);
      // If it was stored and only the response was lost, it is a stray.
      free();
      wakeIfFull();
    };
    return { as: "leased", settle };
  }

  function enterQueue(share: string): Arrival {
    const end = fairness.queue(share);
    const settle = (isStored: boolean): void => {
      end();
      if (isStored) wake(share);
    };
    return { as: "ready", settle };
  }

  function enter(share: string, jobOf: () => Job): Arrival {
    const isNext = !lease.isOver() && fairness.isNext(share, kind.free(share), kind.room());
    return (isNext ? enterHere(share, jobOf) : undefined) ?? enterQueue(share);
  }

  const adding =
    (way: (share: string, jobOf: () => Job) => Arrival | undefined): AddJob<Job, undefined> =>
    (share, store, jobOf) => {
      let job: Job | undefined;
      const arrival = way(share, () => job as Job);
      if (arrival === undefined) return undefined;
      const { as, settle } = arrival;
      const storeAs = async (): ReturnType<typeof store> => {
        const result = await store(as);
        job = jobOf(result, as);
        return result;
      };
      return storeAs().finally(() => settle(job !== undefined));
    };

  return {
    /** Adds a job. It starts here if its share has room and no older job could use it. */
    add: adding(enter) as AddJob<Job>,
    /** Adds a job that must start here, before older ones. Returns undefined without room. */
    addHere: adding(enterHere),
    /** As `add`, for a job that another part stores. `jobOf` returns the stored job. */
    enter,
  };
}

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

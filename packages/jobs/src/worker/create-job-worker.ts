import type { JobLease } from "../lease/job-lease.ts";
import type { JobObserver } from "../observer/job-observer.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeasedJob } from "../table/job.ts";
import { type Alarm, createAlarm } from "./alarm.ts";
import { createLeaseChecks } from "./check-leases.ts";
import type { JobEntry, JobKind, JobWorker } from "./job-worker.ts";
import { createRunningJobs, type RunningJobs } from "./running-jobs.ts";
import { type Leftover, takeKind, type Taker } from "./take-kind.ts";
import { createTurns, type Turns } from "./turns.ts";

export interface JobWorkerDeps<Own extends string> {
  readonly store: Pick<JobStore<Own>, "waitingShares" | "take" | "release" | "lost" | "leases">;
  readonly lease: Pick<JobLease, "leaseMs">;
  readonly kind: JobKind<Own>;
  readonly observer: JobObserver;
  /** Longest time between polls for jobs of other processes without a notification, milliseconds (default 500). */
  readonly idleMs?: number;
}

/** The parts of a worker, which share its alarm and its runs. */
interface WorkerParts<Own extends string> {
  readonly kind: JobKind<Own>;
  readonly turns: Turns;
  readonly alarm: Alarm;
  readonly running: RunningJobs;
  readonly taker: Taker;
  /** The result of the last take. */
  readonly left: () => Leftover;
  readonly roomLeft: () => number;
}

export function createJobWorker<Own extends string>(deps: JobWorkerDeps<Own>): JobWorker {
  const { store, lease, kind, observer, idleMs = 500 } = deps;
  const [alarm, turns] = [createAlarm(), createTurns()];
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  let left: Leftover = "nothing";
  let loops: readonly Promise<void>[] = [];
  const isStopping = (): boolean => stopping.signal.aborted;
  const roomLeft = (): number => (isStopping() ? 0 : kind.room());
  const running = createRunningJobs({ store, kind: kind.kind, observer, isStopping, onFreed: () => wakeIfFull(parts) });
  const { runs, drop, endAll } = running;
  const start = (job: LeasedJob<Own>, free: () => void): void => running.start(job, () => kind.run(job), free);
  const taker = takeKind({ store, kind, turns, observer, roomLeft, start });
  const parts: WorkerParts<Own> = { kind, turns, alarm, running, taker, left: () => left, roomLeft };
  const entries = createEntries(parts);
  const wake = (share?: string): void => wakeFor(parts, share);
  const { check, keepChecking } = createLeaseChecks({
    store,
    kind: kind.kind,
    leaseMs: lease.leaseMs,
    running,
    observer,
    onReleased: wake,
  });

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
    ...entries,
    wake,
    cancel: (id) => {
      const run = runs.get(id);
      if (run !== undefined) drop(run, "canceled");
      return run !== undefined;
    },
    find: (id) => runs.get(id),
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

/** Looks for jobs that wait for a freed slot. */
function wakeIfFull<Own extends string>({ left, alarm }: WorkerParts<Own>): void {
  if (left() === "full") alarm.wake();
}

function wakeFor<Own extends string>({ taker, alarm }: WorkerParts<Own>, share: string | undefined): void {
  taker.lookAgain(share);
  alarm.wake();
}

/** Returns how arriving jobs enter: here immediately, or behind waiting ones. */
function createEntries<Own extends string>(parts: WorkerParts<Own>): Pick<JobWorker, "enter" | "enterHere"> {
  const { kind, turns, running, roomLeft } = parts;

  function enterHere(share: string): JobEntry | undefined {
    const free = roomLeft() > 0 ? kind.reserve(share) : undefined;
    if (free === undefined) return undefined;
    const notStored = (): void => {
      free();
      wakeIfFull(parts);
    };
    // If it was stored and only the response was lost, it is a stray.
    return { as: "leased", stored: (lease, begin) => running.start(lease, begin, free), notStored };
  }

  function queued(share: string): JobEntry {
    const end = turns.queue(share);
    const stored = (): void => {
      end();
      wakeFor(parts, share);
    };
    return { as: "ready", stored, notStored: end };
  }

  return {
    enter: (share) =>
      (turns.isNext(share, kind.free(share), kind.room()) ? enterHere(share) : undefined) ?? queued(share),
    enterHere,
  };
}

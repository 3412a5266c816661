import type { JobLease } from "../lease/job-lease.ts";
import type { LeasedJob, LeaseId } from "../table/job.ts";
import { type Alarm, createAlarm } from "./alarm.ts";
import { createLeaseChecks } from "./check-leases.ts";
import type { JobKind } from "./job-kind.ts";
import type { JobEntry, JobWorker, JobWorkerDeps } from "./job-worker.ts";
import { createRunningJobs, type RunningJobs } from "./running-jobs.ts";
import { type Leftover, takeKind, type Taker } from "./take-kind.ts";
import { createTurns, type Turns } from "./turns.ts";

/** The parts of a worker, which share its alarm and its runs. */
interface WorkerParts<Own extends string, Job extends LeaseId> {
  readonly lease: JobLease;
  readonly kind: JobKind<Own, Job>;
  readonly turns: Turns;
  readonly alarm: Alarm;
  readonly running: RunningJobs<Job>;
  readonly taker: Taker;
  /** The result of the last take. */
  readonly left: () => Leftover;
  readonly roomLeft: () => number;
}

export function createJobWorker<Own extends string, Job extends LeaseId>(
  deps: JobWorkerDeps<Own, Job>,
): JobWorker<Job> {
  const { store, lease, kind, failed, worked, idleMs = 500 } = deps;
  const [alarm, turns] = [createAlarm(), createTurns()];
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  let left: Leftover = "nothing";
  let loops: readonly Promise<void>[] = [];
  const isStopping = (): boolean => stopping.signal.aborted;
  const roomLeft = (): number => (isStopping() ? 0 : kind.room());
  // Other processes may have this one's jobs when its lease is over.
  const roomToTake = (): number => (lease.isOver() ? 0 : roomLeft());
  const running = createRunningJobs({ ...deps, isStopping, onFreed: () => wakeIfFull(parts) });
  const { runs, drop, endAll } = running;
  const start = (row: LeasedJob<Own>, free: () => void): void => running.start(kind.read(row), free);
  const taker = takeKind({ store, kind, turns, failed, worked, roomLeft: roomToTake, start });
  const parts: WorkerParts<Own, Job> = { lease, kind, turns, alarm, running, taker, left: () => left, roomLeft };
  const entries = createEntries(parts);
  const wake = (share?: string): void => wakeFor(parts, share);
  const { leaseMs } = lease;
  const { check, keepChecking } = createLeaseChecks({
    store,
    kind: kind.kind,
    leaseMs,
    running,
    failed,
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

/** Looks for jobs that wait for a freed slot. */
function wakeIfFull({ left, alarm }: Pick<WorkerParts<never, never>, "left" | "alarm">): void {
  if (left() === "full") alarm.wake();
}

function wakeFor(
  { taker, alarm }: Pick<WorkerParts<never, never>, "taker" | "alarm">,
  share: string | undefined,
): void {
  taker.lookAgain(share);
  alarm.wake();
}

/** Returns how arriving jobs enter: here immediately, or behind waiting ones. */
function createEntries<Own extends string, Job extends LeaseId>(
  parts: WorkerParts<Own, Job>,
): Pick<JobWorker<Job>, "enter" | "enterHere"> {
  const { lease, kind, turns, running, roomLeft } = parts;

  function enterHere(share: string): JobEntry<Job> | undefined {
    const free = roomLeft() > 0 ? kind.reserve(share) : undefined;
    if (free === undefined) return undefined;
    const notStored = (): void => {
      free();
      wakeIfFull(parts);
    };
    // If it was stored and only the response was lost, it is a stray.
    return { as: "leased", stored: (job) => running.start(job, free), notStored };
  }

  function queued(share: string): JobEntry<Job> {
    const end = turns.queue(share);
    const stored = (): void => {
      end();
      wakeFor(parts, share);
    };
    return { as: "ready", stored, notStored: end };
  }

  return {
    enter: (share) => {
      const isNext = !lease.isOver() && turns.isNext(share, kind.free(share), kind.room());
      return (isNext ? enterHere(share) : undefined) ?? queued(share);
    },
    enterHere,
  };
}

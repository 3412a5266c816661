import { setTimeout as delay } from "node:timers/promises";
import type { LeaseId } from "../table/job.ts";
import type { DropReason } from "./job-kind.ts";
import { type JobRun, startJob, type StartJobDeps } from "./start-job.ts";

export interface RunningJobsDeps<Own extends string, Job extends LeaseId> extends StartJobDeps<Own, Job> {
  /** An operation of the store failed, and is repeated. */
  readonly failed: (operation: "release" | "end", cause: unknown) => void;
  /** Whether the process stops, so that no job may start. */
  readonly isStopping: () => boolean;
  /** Called when work that ended has freed its room. */
  readonly onFreed: () => void;
}

/** The runs of one kind in this process. */
export interface RunningJobs<Job extends LeaseId = LeaseId> {
  readonly runs: ReadonlyMap<string, JobRun>;
  /** Starts a leased job; releases it when it runs already or the process stops. `free` is called when its room is free. */
  readonly start: (job: Job, free: () => void) => void;
  /** Stops the work on a job, unless its end is being stored. */
  readonly drop: (run: JobRun, reason: DropReason) => void;
  readonly release: (leases: readonly LeaseId[], afterMs?: number) => Promise<void>;
  /**
   * Lets jobs end within `graceMs` milliseconds, then drops and releases the others, and ends those that must not run a second time. Other
   * processes may take released ones after `afterMs`.
   */
  readonly endAll: (graceMs: number, afterMs: number | undefined) => Promise<void>;
}

/** Ends that are being stored while more work begins. */
const mostEnding = 100;

export function createRunningJobs<Own extends string, Job extends LeaseId>(
  deps: RunningJobsDeps<Own, Job>,
): RunningJobs<Job> {
  const { store, failed, isStopping, onFreed } = deps;
  const runs = new Map<string, JobRun>();
  let ending = 0;

  /** Frees room when the work is done, unless many ends wait for the database: then when this one is stored. */
  async function freeRoom(run: JobRun, free: () => void): Promise<void> {
    await run.worked;
    ending += 1;
    if (ending > mostEnding) await run.ended;
    free();
    onFreed();
    await run.ended;
    ending -= 1;
  }

  async function release(leases: readonly LeaseId[], afterMs = 0): Promise<void> {
    if (leases.length === 0) return;
    await store.release(leases, { counted: false, afterMs }).catch((cause: unknown) => failed("release", cause));
  }

  function drop(run: JobRun, reason: DropReason): void {
    if (!run.isEnding) run.drop(reason);
  }

  async function abandon(open: readonly JobRun[], afterMs?: number): Promise<void> {
    const released = open.filter(({ isEnding, stop }) => !isEnding && stop === undefined);
    for (const run of open) {
      if (released.includes(run)) drop(run, "stopping");
      else run.stop?.();
      run.abandon();
    }
    await release(released, afterMs);
  }

  return {
    runs,
    start: (job, free) => {
      if (isStopping() || runs.has(job.id)) {
        // Takes nothing at once: it would lease the same job again and again.
        free();
        void release([job]);
        return;
      }
      const run = startJob(deps, job);
      runs.set(job.id, run);
      void run.ended.finally(() => {
        if (runs.get(job.id) === run) runs.delete(job.id);
      });
      void freeRoom(run, free);
    },
    drop,
    release,
    endAll: async (graceMs, afterMs) => {
      const all = (): readonly JobRun[] => [...runs.values()];
      const allEnded = (): Promise<unknown> => Promise.all(all().map(({ ended }) => ended));
      await abandon(all().filter(({ onlyWaits, isEnding }) => onlyWaits && !isEnding));
      await Promise.race([allEnded(), delay(graceMs, undefined, { ref: false })]);
      await abandon(all(), afterMs);
      await allEnded();
    },
  };
}

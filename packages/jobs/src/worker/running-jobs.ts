import type { DropReason, JobObserver } from "../observer/job-observer.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeaseId } from "../table/job.ts";
import type { JobRun } from "./job-kind.ts";

export interface RunningJobsDeps {
  readonly store: Pick<JobStore, "release">;
  readonly kind: string;
  readonly observer: JobObserver;
  /** Whether the process stops, so that no job may start. */
  readonly isStopping: () => boolean;
}

/** The runs of one kind in this process. */
export interface RunningJobs {
  readonly runs: ReadonlyMap<string, JobRun>;
  /** Starts a leased job; releases it when it runs already or the process stops. `free` is called when its room is free. */
  readonly start: (lease: LeaseId, begin: () => JobRun, free: () => void) => void;
  /** Stops the work on a job, unless its end is being stored. */
  readonly drop: (run: JobRun, reason: DropReason) => void;
  /** Drops and releases jobs; ends those that must not run a second time. */
  readonly abandon: (runs: readonly JobRun[], afterMs?: number) => Promise<void>;
  readonly release: (leases: readonly LeaseId[], afterMs?: number) => Promise<void>;
  readonly allEnded: () => Promise<unknown>;
}

/** Ends that are being stored while more work begins. */
const mostEnding = 100;

export function createRunningJobs({ store, kind, observer, isStopping }: RunningJobsDeps): RunningJobs {
  const runs = new Map<string, JobRun>();
  let ending = 0;

  /** Frees room when the work is done, unless many ends wait for the database: then when this one is stored. */
  async function freeRoom(run: JobRun, free: () => void): Promise<void> {
    await (run.worked ?? run.ended);
    ending += 1;
    if (ending > mostEnding) await run.ended;
    free();
    await run.ended;
    ending -= 1;
  }

  async function release(leases: readonly LeaseId[], afterMs = 0): Promise<void> {
    if (leases.length === 0) return;
    await store
      .release(leases, { counted: false, afterMs })
      .catch((cause: unknown) => observer.storeFailed("release", cause));
  }

  function drop(run: JobRun, reason: DropReason): void {
    if (run.isEnding) return;
    run.drop(reason);
    observer.jobDropped?.(kind, run, reason);
  }

  return {
    runs,
    start: (lease, begin, free) => {
      if (isStopping() || runs.has(lease.id)) {
        free();
        return void release([lease]);
      }
      const run = begin();
      runs.set(lease.id, run);
      void run.ended.finally(() => {
        if (runs.get(lease.id) === run) runs.delete(lease.id);
      });
      void freeRoom(run, free);
    },
    drop,
    abandon: async (open, afterMs) => {
      const released = open.filter(({ isEnding, stop }) => !isEnding && stop === undefined);
      for (const run of open) {
        if (released.includes(run)) drop(run, "stopping");
        else run.stop?.();
        run.abandon();
      }
      await release(released, afterMs);
    },
    release,
    allEnded: () => Promise.all([...runs.values()].map(({ ended }) => ended)),
  };
}

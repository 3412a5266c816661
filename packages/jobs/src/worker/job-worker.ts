import type { JobLease } from "../lease/job-lease.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeaseId } from "../table/job.ts";
import type { JobKind } from "./job-kind.ts";

export interface JobWorkerDeps<Own extends string, Job extends LeaseId> {
  readonly store: JobStore<Own>;
  readonly lease: JobLease;
  readonly kind: JobKind<Own, Job>;
  /** An operation of the store failed, and is repeated. Must not throw. */
  readonly failed: (operation: "take" | "renew" | "release" | "end", cause: unknown) => void;
  /** The store could be read for jobs to take. Must not throw. */
  readonly worked?: () => void;
  /** Longest time between polls for jobs of other processes without a notification, milliseconds (default 500). */
  readonly idleMs?: number;
}

/** How to store an arriving job. Call either `stored` or `notStored` afterwards. */
export interface JobEntry<Job extends LeaseId = LeaseId> {
  /** `leased`: store it as leased to this process; it starts at once. `ready`: it waits for its turn. */
  readonly as: "leased" | "ready";
  readonly stored: (job: Job) => void;
  /** The job existed, or the store didn't answer: frees its reserved room. */
  readonly notStored: () => void;
}

/** Stores an arriving job with `store`. `jobOf` returns it; undefined when it was not stored. Resolves with what `store` does. */
export async function storeEntry<Job extends LeaseId, Result>(
  { as, stored, notStored }: JobEntry<Job>,
  store: (as: JobEntry["as"]) => Promise<Result>,
  jobOf: (result: Result) => Job | undefined,
): Promise<Result> {
  let job: Job | undefined;
  try {
    const result = await store(as);
    job = jobOf(result);
    return result;
  } finally {
    if (job === undefined) notStored();
    else stored(job);
  }
}

/** Runs jobs of one kind in this process, up to its room, with shares in turn. */
export interface JobWorker<Job extends LeaseId = LeaseId> {
  readonly start: () => void;
  /** Announces an arriving job. It starts here if its share has room and no older job could use it. */
  readonly enter: (share: string) => JobEntry<Job>;
  /** Announces an arriving job that must start here, before older ones. Returns undefined without room. */
  readonly enterHere: (share: string) => JobEntry<Job> | undefined;
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

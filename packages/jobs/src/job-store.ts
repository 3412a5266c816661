import type { CompiledQuery, Transaction } from "kysely";
import type { HeldJob, JobEnd, JobReadings, LostJob, NewJob, OwnValues, TakenJob, WantedJobs } from "./job.ts";

/** The end of a job that this process holds. */
export interface EndingJob<Own extends string = never> {
  readonly held: HeldJob;
  readonly end: JobEnd<Own>;
  /** Whether another process waits for it: it learns it at once on PostgreSQL. */
  readonly tells?: boolean;
}

/** What `JobStore.addReading` did. */
export interface AddedReading {
  readonly isNew: boolean;
  /** The rows of the query. */
  readonly rows: readonly unknown[];
}

/**
 * Stores jobs for one process; others may share the database. Only the holder of a lease changes its job. Every method
 * is safe to repeat after a lost answer. While the database is unreachable, methods retry for a second, then reject with
 * its error.
 */
export interface JobStore<Own extends string = never> {
  /** Identifies this process in its leases. */
  readonly owner: () => string;
  /**
   * Stores a job. Returns false when its id or its key exists. `unflushed`: a power loss may undo it, for a job that is
   * added again by what it belongs to.
   */
  readonly add: (job: NewJob<Own>, options?: { readonly unflushed?: boolean }) => Promise<boolean>;
  /**
   * Stores a job as `add` does, and runs a query in the same round trip.
   */
  readonly addReading: (job: NewJob<Own>, query: CompiledQuery) => Promise<AddedReading>;
  /** Stores jobs within a transaction, in one statement. Those whose id or key exists are left out. */
  readonly addWithin: (transaction: Transaction<never>, jobs: readonly NewJob<Own>[]) => Promise<void>;
  /** Returns the shares of a kind with jobs to take, longest waiting first. */
  readonly waitingShares: (kind: string) => Promise<readonly string[]>;
  /** Leases jobs to this process, longest waiting first. */
  readonly take: (wanted: readonly WantedJobs[]) => Promise<readonly TakenJob<Own>[]>;
  /**
   * Ends jobs together, in one commit, which many calls share. Returns for each whether this process held it, or had
   * ended it before with the same outcome and the answer lost. `also`: statements in the same commit, which may be repeated.
   */
  readonly end: (jobs: readonly EndingJob<Own>[], also?: readonly CompiledQuery[]) => Promise<readonly boolean[]>;
  /** Ends a job, whichever process holds it. Returns it as it was; undefined when it had ended or does not exist. */
  readonly endOpen: (id: string, end: JobEnd<Own>) => Promise<TakenJob<Own> | undefined>;
  /** Makes jobs ready for any process after `afterMs` (default 0). `counted`: whether the attempt counts. */
  readonly release: (
    held: readonly HeldJob[],
    how: { readonly counted: boolean; readonly afterMs?: number },
  ) => Promise<void>;
  /** Sets own columns of a job; concurrent calls share a commit. Returns false when this process no longer holds it. */
  readonly set: (held: HeldJob, values: OwnValues<Own>) => Promise<boolean>;
  /** Returns the jobs of a kind's shares that are leased to this process. */
  readonly held: (kind: string) => Promise<readonly HeldJob[]>;
  /** Returns those that this process no longer holds. */
  readonly lost: (held: readonly HeldJob[]) => Promise<readonly LostJob[]>;
  /** Deletes jobs of a kind that ended more than `retentionMs` ago, `most` at most. Returns how many. */
  readonly forget: (kind: string, retentionMs: number, most: number) => Promise<number>;
  readonly readings: (kind: string) => Promise<JobReadings>;
}

import type { CompiledQuery, Transaction } from "kysely";
import type { LeaseId, JobEnd, JobReadings, LostJob, NewJob, OwnValues, LeasedJob, WantedJobs } from "../table/job.ts";

/** The end of a job that this process has leased. */
export interface EndingJob<Own extends string = never> {
  readonly leaseId: LeaseId;
  readonly end: JobEnd<Own>;
  /** Whether another process waits for it: PostgreSQL notifies it at once. */
  readonly notifies?: boolean;
}

/** The result of `JobStore.addReading`. */
export interface AddedReading {
  readonly isNew: boolean;
  /** The rows of the query. */
  readonly rows: readonly unknown[];
}

/**
 * Stores jobs for one process; others may share the database. Only the process that has leased a job changes it. Every method is safe to
 * repeat after a lost response. While the database is unreachable, methods retry for a second, then reject with its error.
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
  readonly take: (wanted: readonly WantedJobs[]) => Promise<readonly LeasedJob<Own>[]>;
  /**
   * Ends jobs together, in one commit, which many calls share. Returns for each whether this process had leased it, or had ended it before
   * with the same outcome and a lost response. `also`: statements in the same commit, which may be repeated.
   */
  readonly end: (jobs: readonly EndingJob<Own>[], also?: readonly CompiledQuery[]) => Promise<readonly boolean[]>;
  /** Ends a job, whichever process has leased it. Returns it as it was; undefined when it had ended or does not exist. */
  readonly endOpen: (id: string, end: JobEnd<Own>) => Promise<LeasedJob<Own> | undefined>;
  /** Makes jobs ready for any process after `afterMs` (default 0). `counted`: whether the attempt counts. */
  readonly release: (
    leases: readonly LeaseId[],
    how: { readonly counted: boolean; readonly afterMs?: number },
  ) => Promise<void>;
  /** Sets own columns of a job; concurrent calls share a commit. Returns false when the lease is lost. */
  readonly set: (leaseId: LeaseId, values: OwnValues<Own>) => Promise<boolean>;
  /** Returns the leases of this process on jobs of a kind's shares. */
  readonly leases: (kind: string) => Promise<readonly LeaseId[]>;
  /** Returns those that this process has lost. */
  readonly lost: (leases: readonly LeaseId[]) => Promise<readonly LostJob[]>;
  /** Deletes jobs of a kind that ended more than `retentionMs` ago, `most` at most. Returns how many. */
  readonly forget: (kind: string, retentionMs: number, most: number) => Promise<number>;
  readonly readings: (kind: string) => Promise<JobReadings>;
}

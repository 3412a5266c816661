import type { WriteRow } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { JobStore } from "../store/job-store.ts";
import type { JobSchema } from "../table/job-tables.ts";
import type { LeaseId, NewJob, OwnValues } from "../table/job.ts";

/** The columns of jobs in lanes. */
export interface LaneSchema<Own extends string> extends JobSchema<Own> {
  /**
   * The column with the number of leases that do not count as attempts. `attempt` itself never falls: a job that was leased before may have
   * had effects.
   */
  readonly uncounted: Own;
}

/** A lease of a job in a lane. */
export interface LaneJob extends LeaseId {
  readonly lane: string;
}

/** How a job entered its lane. */
export type Entered = NewJob["as"] | "behind";

/**
 * Stores jobs that run one after the other within their lane, in the order of insertion. The first job of a lane is its head; the others
 * are behind it, whatever it waits for, until it is deleted or parked. A job is deleted when it ends. Only the process that has leased a
 * job changes it. While the database is unreachable, methods retry for a second, then reject with its error.
 */
export interface LaneStore<Own extends string> extends Pick<
  JobStore<Own>,
  "owner" | "waitingShares" | "take" | "set" | "lost" | "leases"
> {
  /**
   * Stores a job in one round trip. `columns`: those of the store's guard. `locks`: no two jobs with one of these names, or of one lane, are
   * stored at the same time. `after`: statements that follow in the same transaction, whether or not the job was stored. Resolves with
   * undefined if the guard refuses it, or if its id or its key exists.
   */
  readonly add: (
    job: NewJob<Own> & { readonly lane: string },
    more?: {
      readonly columns?: WriteRow<string>;
      readonly locks?: readonly string[];
      readonly after?: readonly CompiledQuery[];
    },
  ) => Promise<Entered | undefined>;
  /** Sets own columns, and runs the statements of `after` in the same transaction. Returns false when the lease is lost. */
  readonly setWith: (leaseId: LeaseId, values: OwnValues<Own>, after: readonly CompiledQuery[]) => Promise<boolean>;
  /** Jobs that keep their place have become ready in another process: takes find them. */
  readonly lookAtFront: () => void;
  /** Ends and deletes a job; concurrent calls share a commit. Returns false when the lease is lost. Safe to repeat. */
  readonly end: (job: LaneJob) => Promise<boolean>;
  /**
   * Makes jobs ready for any process after `afterMs` (default 0), in their place in the lane. `counted`: whether the attempt counts. Returns
   * for each whether it was leased.
   */
  readonly release: (
    leases: readonly LeaseId[],
    how: { readonly counted: boolean; readonly afterMs?: number },
  ) => Promise<readonly boolean[]>;
  /** Parks a job, with values for an operator; its lane goes on without it. Returns false when the lease is lost. */
  readonly park: (job: LaneJob, values: OwnValues<Own>) => Promise<boolean>;
  /** Returns a parked job to its place in its lane, as if it had never been leased. Returns false if no parked job has this id. */
  readonly unpark: (id: string) => Promise<boolean>;
  /** Gives each lane without a head one, in case one was lost. Returns how many. */
  readonly heal: () => Promise<number>;
}

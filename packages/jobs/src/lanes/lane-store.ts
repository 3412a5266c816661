import type { WriteRow } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { HeldJob, NewJob, OwnValues } from "../job.ts";
import type { JobStore } from "../job-store.ts";
import type { LaneJob } from "./lane-job.ts";

/** How a job entered its lane. */
export type Entered = NewJob["as"] | "behind";

/**
 * Stores jobs that run one after the other within their lane, in the order of insertion. The first job of a lane is its head; the others
 * are behind it, whatever it waits for, until it is deleted or parked. A job is deleted when it ends. Only the holder of a lease changes
 * its job. While the database is unreachable, methods retry for a second, then reject with its error.
 */
export interface LaneStore<Own extends string> extends Pick<
  JobStore<Own>,
  "owner" | "waitingShares" | "take" | "set" | "lost" | "held"
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
  /** Sets own columns, and runs the statements of `after` in the same transaction. Returns false when the job is not held. */
  readonly setWith: (held: HeldJob, values: OwnValues<Own>, after: readonly CompiledQuery[]) => Promise<boolean>;
  /** Jobs that keep their place have become ready in another process: takes find them. */
  readonly lookAtFront: () => void;
  /** Ends and deletes a job; concurrent calls share a commit. Returns false when another process holds it. Safe to repeat. */
  readonly end: (job: LaneJob) => Promise<boolean>;
  /**
   * Makes jobs ready for any process after `afterMs` (default 0), in their place in the lane. `counted`: whether the attempt counts. Returns
   * for each whether it was held.
   */
  readonly release: (
    held: readonly HeldJob[],
    how: { readonly counted: boolean; readonly afterMs?: number },
  ) => Promise<readonly boolean[]>;
  /** Parks a job, with values for an operator; its lane goes on without it. Returns false when it is not held. */
  readonly park: (job: LaneJob, values: OwnValues<Own>) => Promise<boolean>;
  /** Returns a parked job to its place in its lane, as if it had never been leased. Returns false if no parked job has this id. */
  readonly unpark: (id: string) => Promise<boolean>;
  /** Gives each lane without a head one, in case one was lost. Returns how many. */
  readonly heal: () => Promise<number>;
}

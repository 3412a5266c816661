import type { HeldJob } from "../job.ts";
import type { JobSchema } from "../job-schema.ts";

/** The columns of jobs in lanes. */
export interface LaneSchema<Own extends string> extends JobSchema<Own> {
  /**
   * The column with the number of leases that do not count as attempts. `attempt` itself never falls: a job that was leased before may have
   * had effects.
   */
  readonly uncounted: Own;
}

/** A lease of a job in a lane. */
export interface LaneJob extends HeldJob {
  readonly lane: string;
}

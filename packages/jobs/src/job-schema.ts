import type { ColumnKind } from "@crosszone/sql";

/** The columns that a zone's jobs have besides those of every job. */
export interface JobSchema<Own extends string = never> {
  readonly own: Readonly<Record<Own, ColumnKind>>;
  /** Those that a job's end sets. */
  readonly ended: readonly Own[];
  /** Those that a job's end empties, as it does `input`. */
  readonly cleared: readonly Own[];
}

/** Jobs without columns of their own. */
export const plainJobs: JobSchema = { own: {}, ended: [], cleared: [] };

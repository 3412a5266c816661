import type { DropReason } from "../observer/job-observer.ts";
import type { LeasedJob, LeaseId } from "../table/job.ts";

/** The work on a job that this process has leased. */
export interface JobRun extends LeaseId {
  /** Stops the work without ending the job. */
  readonly drop: (reason: DropReason) => void;
  /** The work is done, and its end is being stored. */
  readonly isEnding: boolean;
  /** Makes the current attempt to store the end the last one. */
  readonly abandon: () => void;
  /** Present when the job must not run a second time: ends it when this process stops. */
  readonly stop?: (() => void) | undefined;
  /** The work goes on elsewhere and this process only waits for it: a stopping process releases the job at once. */
  readonly onlyWaits?: boolean;
  /** Resolves when the work is done, and its room is free; `ended` when absent. Never rejects. */
  readonly worked?: Promise<void>;
  /** Resolves when the end is stored, or nothing is left to do; never rejects. */
  readonly ended: Promise<void>;
}

/** How jobs of one kind are run in this process. */
export interface JobKind<Own extends string = never> {
  readonly kind: string;
  /** How many more jobs of this kind may run here, of all shares. */
  readonly room: () => number;
  /** Called with the shares that have jobs before `free` and `reserve` are. */
  readonly prepare?: (shares: readonly string[]) => Promise<void>;
  /** How many more jobs of this share may run here. */
  readonly free: (share: string) => number;
  /** Reserves room for one job. Returns a function that frees it; undefined without room. */
  readonly reserve: (share: string) => (() => void) | undefined;
  /** Values that taken jobs of a share get in columns of the zone that are null. The same columns for all shares. */
  readonly preset?: (share: string) => Readonly<Record<string, string | null>>;
  /** Called with taken jobs before they run, to store what must be known before. Returns them. */
  readonly taken?: (jobs: readonly LeasedJob<Own>[]) => Promise<readonly LeasedJob<Own>[]>;
  readonly run: (job: LeasedJob<Own>) => JobRun;
}

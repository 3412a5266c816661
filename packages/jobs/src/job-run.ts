import type { HeldJob, TakenJob } from "./job.ts";

/** Why a process lets go of a job: its outcome is `canceled`, another process has or had it, or this process stops. */
export type LetGo = "canceled" | "taken_over" | "stopping";

/** The work on a job that this process holds. */
export interface JobRun extends HeldJob {
  /** Stops the work without ending the job. */
  readonly drop: (why: LetGo) => void;
  /** The work is done, and its end is being stored. */
  readonly isEnding: boolean;
  /** Tries to store the end once more, then gives up. */
  readonly abandon: () => void;
  /** Present when the job must not run again: ends it when this process stops. */
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
  readonly taken?: (jobs: readonly TakenJob<Own>[]) => Promise<readonly TakenJob<Own>[]>;
  readonly run: (job: TakenJob<Own>) => JobRun;
}

/** Receives what happens to jobs, for logs and metrics. Must not throw. */
export interface JobObserver {
  /** A store operation failed and is retried. */
  readonly storeFailed: (operation: "take" | "renew" | "release", cause: unknown) => void;
  /** This process lets go of a job. */
  readonly letGo?: (kind: string, held: HeldJob, why: LetGo) => void;
}

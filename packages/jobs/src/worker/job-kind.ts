import type { CompiledQuery } from "kysely";
import type { JobEnd, LeasedJob, LeaseId, OwnValues } from "../table/job-tables.ts";

/** Why a process stops working on a job: its outcome is `canceled`, another process leases or ended it, or this process stops. */
export type DropReason = "canceled" | "taken_over" | "stopping";

/** The reason of a job's signal: whatever its work does from then on is not stored. */
export class JobDropped extends Error {
  override readonly name = "JobDropped";
  readonly why: DropReason;

  constructor(why: DropReason) {
    super(`the job was dropped: ${why}`);
    this.why = why;
  }
}

export interface JobContext<Own extends string = never> {
  /** Aborted with a `JobDropped` when this process stops working on the job. */
  readonly signal: AbortSignal;
  /** Sets own columns of the job. Concurrent notes share a commit. Resolves with false when this process has lost the job. */
  readonly note: (values: OwnValues<Own>) => Promise<boolean>;
  /** The work continues elsewhere and this process only waits for it: a stopping process releases the job at once. */
  readonly onlyWaits: () => void;
  /** The job must not run a second time: a stopping process ends the work with `stop`, and stores that end. */
  readonly runsOnce: (stop: () => void) => void;
}

/** The events of attempts at jobs. */
export type JobEvent = "job_ended" | "job_released" | "job_parked" | "job_dropped";

/** What becomes of a job whose work is done. */
export type Ending<Own extends string = never> =
  /** It ends. `also`: statements in the same commit, which may be repeated. */
  | { readonly end: JobEnd<Own>; readonly also?: readonly CompiledQuery[] }
  /**
   * It ends with this outcome and is deleted, and the next job of its lane begins. Without a lane, a power loss may undo it. `also`: statements in
   * the same commit, for a job of a lane; they may be repeated.
   */
  | { readonly remove: string; readonly also?: readonly CompiledQuery[] | undefined }
  /**
   * It is ready for any process after `afterMs` (default 0), or when it is woken. `counted`: whether the attempt counts. `set`, `also`: own
   * columns and statements that are stored before, in one commit.
   */
  | {
      readonly release: { readonly counted: boolean; readonly afterMs?: number };
      readonly set?: OwnValues<Own>;
      readonly also?: readonly CompiledQuery[];
    }
  /** It is parked with these values for an operator, and the next job of its lane begins. `also` as above. */
  | { readonly park: OwnValues<Own>; readonly also?: readonly CompiledQuery[] | undefined }
  /** Another part stores that it ends with this outcome. Resolves with false when this process has lost the job. */
  | { readonly store: () => Promise<boolean>; readonly outcome: string };

/** How the work on a job ends. The worker stores it, and repeats that until it is stored. */
export type End<Own extends string = never> = Ending<Own> & {
  /** Called once when it is stored. */
  readonly stored?: (() => void) | undefined;
  /** Returns the end to store after a failure that no retry mends; undefined to retry. Without it, every failure is retried. */
  readonly instead?: (cause: unknown) => End<Own> | undefined;
};

/** The room for jobs of one kind in this process. */
export interface JobRoom {
  /** How many more jobs may run here, of all shares. */
  readonly room: () => number;
  /** Called with the shares that have jobs before `free` and `reserve` are. */
  readonly prepare?: (shares: readonly string[]) => Promise<void>;
  /** How many more jobs of this share may run here. */
  readonly free: (share: string) => number;
  /** Reserves room for one job. Returns a function that frees it; undefined without room. */
  readonly reserve: (share: string) => (() => void) | undefined;
}

/** A kind of jobs: how this process works on one. The worker leases, renews, drops and releases it, and stores its end. */
export interface JobKind<Own extends string = never, Job extends LeaseId = LeasedJob<Own>> extends JobRoom {
  readonly kind: string;
  /** Reads the row of a leased job. If this or `run` throws for want of a key (`isKeyMissing`), the job is left to other processes. */
  readonly read: (row: LeasedJob<Own>) => Job;
  readonly run: (job: Job, context: JobContext<NoInfer<Own>>) => Promise<End<NoInfer<Own>>>;
  /**
   * Called when the job is no longer this process's own, or when its end could not be stored before this process stopped. Must not throw.
   */
  readonly lost?: (job: Job, why: DropReason | "not_stored", cause?: unknown) => void;
}

/**
 * Room for `most` jobs at a time. `ofShare`: of one share, and `ofGroup`: of those whose shares are the same up to their last dot; all of it when
 * absent.
 */
export function createRoom(
  most: number,
  { ofShare = most, ofGroup = most }: { readonly ofShare?: number; readonly ofGroup?: number } = {},
): JobRoom {
  const used = new Map<string, number>();
  const usedOf = (name: string): number => used.get(name) ?? 0;
  const groupOf = (share: string): string => `${share.replace(/\.[^.]*$/, "")}.`;
  const room = (): number => most - usedOf("");
  const free = (share: string): number => Math.min(room(), ofGroup - usedOf(groupOf(share)), ofShare - usedOf(share));
  const add = (share: string, by: 1 | -1): void => {
    for (const name of ["", groupOf(share), share])
      if (usedOf(name) + by === 0) used.delete(name);
      else used.set(name, usedOf(name) + by);
  };
  return {
    room,
    free,
    reserve: (share) => {
      if (free(share) <= 0) return undefined;
      add(share, 1);
      let isFree = false;
      return () => {
        if (!isFree) add(share, -1);
        isFree = true;
      };
    },
  };
}

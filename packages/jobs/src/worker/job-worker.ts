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
  readonly stop?: () => void;
  /** The work continues elsewhere and this process only waits for it: a stopping process releases the job at once. */
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
  readonly run: (job: LeasedJob<Own>) => JobRun;
}

/** Room for `most` jobs at a time, whatever their shares. */
export function createRoom(most: number): Pick<JobKind, "room" | "free" | "reserve"> {
  let used = 0;
  const room = (): number => most - used;
  return {
    room,
    free: room,
    reserve: () => {
      if (room() <= 0) return undefined;
      used += 1;
      let isFree = false;
      return () => {
        if (!isFree) used -= 1;
        isFree = true;
      };
    },
  };
}

/** How to store an arriving job. Call either `stored` or `notStored` afterwards. */
export interface JobEntry {
  /** `leased`: store it as leased to this process; it starts at once. `ready`: it waits for its turn. */
  readonly as: "leased" | "ready";
  /** The job is stored. A leased one starts with `begin`. */
  readonly stored: (lease: LeaseId, begin: () => JobRun) => void;
  /** The job existed, or the store didn't answer: frees its reserved room. */
  readonly notStored: () => void;
}

/** Runs jobs of one kind in this process, up to its room, with shares in turn. */
export interface JobWorker {
  readonly start: () => void;
  /** Announces an arriving job. It starts here if its share has room and no older job could use it. */
  readonly enter: (share: string) => JobEntry;
  /** Announces an arriving job that must start here, before older ones. Returns undefined without room. */
  readonly enterHere: (share: string) => JobEntry | undefined;
  /** Jobs of this share, or of any, may wait. */
  readonly wake: (share?: string) => void;
  /** Stops the work on a job that ended elsewhere, if it runs here. Returns whether it did. */
  readonly cancel: (id: string) => boolean;
  readonly find: (id: string) => JobRun | undefined;
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

import type { LeaseId } from "../table/job.ts";
import type { JobRun } from "./job-kind.ts";

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
   * `afterMs` (default 0), when what was under way can be seen.
   */
  readonly stop: (graceMs: number, afterMs?: number) => Promise<void>;
}

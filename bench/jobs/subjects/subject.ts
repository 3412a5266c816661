/** A job that a subject has leased. */
export interface Leased {
  readonly id: string;
  readonly attempt: number;
  readonly share: string;
  readonly record: string;
  readonly lane?: string | null;
}

/** The work on jobs in one process. */
export interface Subject {
  /** Leases up to `batch` jobs of shares that have room. */
  readonly take: (open: readonly string[]) => Promise<readonly Leased[]>;
  readonly end: (jobs: readonly Leased[]) => Promise<void>;
  /** The same for jobs in lanes: with the end of a job, the next of its lane becomes ready. */
  readonly lanes: Pick<Subject, "take" | "end">;
  /** Stores a job of the share that any process may lease. */
  readonly add: (share: string, record: string) => Promise<void>;
  /** From now on leases every job of the share as soon as it knows of it, and ends it. */
  readonly receive: (share: string, onTaken: (record: string) => void) => Promise<void>;
}

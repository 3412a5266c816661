import type { NewJob } from "../job.ts";
import type { NewAgentCall } from "./agent-call-job.ts";
import type { ExecutionColumn } from "./execution-jobs.ts";

/** How to store an arriving call. Call either `stored` or `notStored` afterwards. */
export interface CallEntry {
  /** The job to store, with the change that makes the call. */
  readonly job: NewJob<ExecutionColumn>;
  /** The job is stored: one that is leased to this process begins. */
  readonly stored: () => void;
  /** The job existed, or the store didn't answer. */
  readonly notStored: () => void;
}

/**
 * Where calls to registered agents go in: this process's bridge, which leases a call if its agent has room; other
 * processes, which take it from the table; or Kafka.
 */
export interface CallIntake {
  readonly enter: (call: NewAgentCall) => Promise<CallEntry>;
  /**
   * Ends a call that is no longer wanted, wherever it runs or waits, and stops the work on it. Does nothing when it has
   * ended.
   */
  readonly cancel: (
    call: Pick<NewAgentCall["task"], "run_id" | "task_id" | "correlation_id">,
    reason: string,
  ) => Promise<void>;
}

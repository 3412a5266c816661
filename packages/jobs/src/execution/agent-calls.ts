import type { AgentResult } from "@crosszone/contracts";
import type { EndingJob } from "../store/job-store.ts";
import type { LeaseId, NewJob } from "../table/job.ts";
import type { CallHeaders, NewAgentCall, TaskNames } from "./agent-call-job.ts";
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
 * Enqueues calls to registered agents: for this process's bridge, which leases a call if its agent has a free slot; for
 * other processes, which take it from the table; or for Kafka.
 */
export interface CallIntake {
  readonly enter: (call: NewAgentCall) => Promise<CallEntry>;
  /**
   * Ends a call that is no longer needed, wherever it runs or waits, and stops the work on it. Does nothing when it has
   * ended.
   */
  readonly cancel: (
    call: Pick<NewAgentCall["task"], "run_id" | "task_id" | "correlation_id">,
    reason: string,
  ) => Promise<void>;
}

/** A call that this process has leased, reduced to what its end needs. */
export interface EndingCall {
  readonly leaseId: LeaseId;
  readonly task: TaskNames;
  readonly headers: CallHeaders;
  /** What waits for its result: a task's or a run's id. */
  readonly parent: string | undefined;
}

/** How a call ended. `canceled`: by a decision, not by the agent. */
export type CallOutcome = "succeeded" | "failed" | "canceled";

/** The end of a call. */
export interface CallEnding {
  readonly outcome: CallOutcome;
  readonly result: AgentResult;
  /** The end of its job, with the result as output. */
  readonly ending: EndingJob<ExecutionColumn>;
}

/** Receives ends of calls: the task or run of this process that waits, other processes, or Kafka. */
export interface CallEnds {
  /**
   * Stores the end of a call that this process has leased, and passes the result to the task or run that waits. Resolves with false when the
   * call was lost: then nothing is stored.
   */
  readonly end: (call: EndingCall, end: CallEnding) => Promise<boolean>;
}

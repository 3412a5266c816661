import type { AgentResult } from "@crosszone/contracts";
import type { EndingJob } from "../job-store.ts";
import type { HeldJob } from "../job.ts";
import type { CallHeaders, TaskNames } from "./agent-call-job.ts";
import type { ExecutionColumn } from "./execution-jobs.ts";

/** A call that this process holds, as far as its end needs it. */
export interface HeldCall {
  readonly held: HeldJob;
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

/** Where ends of calls go: to the task or run of this process that waits, to other processes, or to Kafka. */
export interface CallEnds {
  /**
   * Stores the end of a call that this process holds, and gives the result to who waits. Resolves with false when the
   * call was lost: then nothing is stored.
   */
  readonly end: (call: HeldCall, end: CallEnding) => Promise<boolean>;
}

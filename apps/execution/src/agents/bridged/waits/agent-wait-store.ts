import type { AgentCancellation, AgentResult, AgentTask } from "@crosszone/contracts";

/** The consumer group of all processes that wait for results. A process may consume a result that another waits for. */
export const waitingGroup = "execution";

/** A task for the bus, with its headers. */
export interface SentTask {
  readonly task: AgentTask;
  /** The task whose agent makes this call, if it is not the call of a task itself. The wait ends with that task. */
  readonly parentTaskId?: string | undefined;
  /** Digest of the requester's team. */
  readonly team?: string | undefined;
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
}

/** Stores which tasks wait for a result from the bus, and the results until their tasks have ended. */
export interface AgentWaitStore {
  /**
   * Stores that a task waits and publishes it, atomically. A task that already waits, or waited, is not published
   * again.
   */
  send(sent: SentTask): Promise<void>;
  /** Stores a result. Returns whether a task waited for it. The first of several results wins. */
  keep(result: AgentResult): Promise<boolean>;
  /** Returns the results that exist for these tasks. */
  results(taskIds: readonly string[]): Promise<readonly AgentResult[]>;
  /**
   * Publishes once that a task's result is no longer wanted. Does nothing when the task has its result or never waited.
   */
  cancel(cancellation: AgentCancellation): Promise<void>;
  /** Deletes waits of ended tasks, `most` at most. Returns how many. */
  forget(most: number): Promise<number>;
}

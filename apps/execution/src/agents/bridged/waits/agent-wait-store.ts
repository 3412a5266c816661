import type { AgentCancellation, AgentResult, AgentTask } from "@crosszone/contracts";

/** All processes that wait for results share the messages: what one gets, another may have asked for. */
export const waitingGroup = "execution";

/** A task for the bus, with what goes along with it. */
export interface SentTask {
  readonly task: AgentTask;
  /** Digest of the team that it was asked in. */
  readonly team?: string | undefined;
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
}

/** Keeps which tasks wait for a result of the bus, and the results until their tasks have ended. */
export interface AgentWaitStore {
  /** Keeps that a task waits and publishes it: both, or neither. A task that waits already, or waited, is not published again. */
  send(sent: SentTask): Promise<void>;
  /** Keeps a result; gives whether a task waited for it. Of several the first counts. */
  keep(result: AgentResult): Promise<boolean>;
  /** The results of those of the tasks that have one. */
  results(taskIds: readonly string[]): Promise<readonly AgentResult[]>;
  /** Publishes, once, that nobody waits for a task any more; nothing when it has its result, or never waited. */
  cancel(cancellation: AgentCancellation): Promise<void>;
  /** Forgets those whose task has ended, so many at most; gives how many. */
  forget(most: number): Promise<number>;
}

import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { HeldBytes } from "@crosszone/service-kit";
import type { AgentFailure } from "../protocol/agent-failure.ts";

/** Options of a call, besides its task and agent. */
export interface CallOptions {
  /** Unix milliseconds, by this process's clock. */
  readonly deadlineAt: number;
  /**
   * Aborted with an `AgentFailure` when the task is canceled or past its deadline; the agent is then asked to stop, if
   * possible. With any other reason another process continues the task, and the agent is not asked to stop. The call rejects
   * with the reason.
   */
  readonly signal: AbortSignal;
  /** The agent's own id of the task, when another process started it: the agent is polled. */
  readonly remoteId?: string;
  /**
   * Stores the agent's own id of the task; resolves when durable. If it rejects, the call rejects with the same error.
   */
  readonly onRemoteId: (remoteId: string) => Promise<void>;
  /** Called with each new progress text of the agent. Must not throw. */
  readonly onProgress?: (text: string) => void;
  /** Called after each event of a stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: (artifacts: readonly unknown[]) => void;
  readonly traceparent?: string;
  /** How often the question was passed on with this call; once when absent. */
  readonly hops?: number;
  /** What the call holds in memory, until its end is stored. */
  readonly held?: HeldBytes;
}

/** The end of a task at an agent. */
export interface CallEnd {
  /** Null when it failed. */
  readonly output: unknown;
  readonly failure: AgentFailure | undefined;
  /** Requests that started the task, including the first; polls don't count. */
  readonly attempts: number;
  /** Names of the files that the agent was not sent, because its card does not accept their types; absent when it was sent all. */
  readonly filesLeftOut?: readonly string[];
}

/** Runs a task on an agent, with retries and polls, until it ends or its deadline passes. */
export interface AgentCaller {
  readonly call: (task: AgentTask, agent: AgentRecord, options: CallOptions) => Promise<CallEnd>;
}

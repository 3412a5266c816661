import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { AgentFailure } from "../agent-failure.ts";

/** What goes for one call, beside its task and its agent. */
export interface CallOptions {
  /** Unix milliseconds, of this process. */
  readonly deadlineAt: number;
  /**
   * Aborted with an `AgentFailure` when the task is over: canceled, or past its deadline; the agent is told to stop then, if it can be.
   * With any other reason another process goes on with the task, and the agent is told nothing. Rejects with the reason.
   */
  readonly signal: AbortSignal;
  /** The agent's own name of the task, when it took it before this process had it: it is asked how it stands. */
  readonly remoteId: string | undefined;
  /** Keeps the agent's own name of the task; resolves when it is durable. When it rejects, so does the call, with the same. */
  readonly onRemoteId: (remoteId: string) => Promise<void>;
  /** Called with each new text of what the agent says it is doing. Must not throw. */
  readonly onProgress?: (text: string) => void;
  /** Called after each event of a stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: (artifacts: readonly unknown[]) => void;
  readonly traceparent: string | undefined;
}

/** How a task ended at an agent. */
export interface CallEnd {
  /** Null when it failed. */
  readonly output: unknown;
  readonly failure: AgentFailure | undefined;
  /** Requests that started the task, the first one included; polls are not counted. */
  readonly attempts: number;
  /** Names of the files that the agent was not sent, because its card does not accept their types; absent when it was sent all. */
  readonly filesLeftOut?: readonly string[];
}

/** Has an agent do one task, with retries and polls, until it ends or its deadline passes. */
export interface AgentCaller {
  readonly call: (task: AgentTask, agent: AgentRecord, options: CallOptions) => Promise<CallEnd>;
}

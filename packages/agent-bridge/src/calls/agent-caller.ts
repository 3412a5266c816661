import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { CallTime } from "./pauses.ts";
import type { AgentClient } from "../client/agent-client.ts";
import type { CircuitBreakers } from "../limits/circuit-breakers.ts";
import type { AgentCallIds, AgentOperation, BridgeEmit } from "../events/agent-events.ts";
import type { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentReply, ProtocolAdapter, Reading } from "../protocol/protocol-adapter.ts";

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
  readonly remoteId: string | undefined;
  /**
   * Stores the agent's own id of the task; resolves when durable. If it rejects, the call rejects with the same error.
   */
  readonly onRemoteId: (remoteId: string) => Promise<void>;
  /** Called with each new progress text of the agent. Must not throw. */
  readonly onProgress?: (text: string) => void;
  /** Called after each event of a stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: (artifacts: readonly unknown[]) => void;
  readonly traceparent: string | undefined;
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

/** What every request of a call needs. */
export interface CallParts {
  readonly client: Pick<AgentClient, "post" | "stream">;
  readonly breakers: Pick<CircuitBreakers, "admit">;
  readonly emit: BridgeEmit;
  readonly time: CallTime;
}

/** The protocol and URL of a call. They change when the agent turns out to use another version of A2A. */
export interface CallWay {
  ids: AgentCallIds;
  adapter: ProtocolAdapter;
  /** Has the URL that is called. */
  agent: AgentRecord;
  /** Has the files that the agent accepts. */
  task: AgentTask;
  /** The agent's card offers streaming, and the agent has not refused it in this call. */
  streams: boolean;
  /** The agent's card could not be fetched because of a temporary problem. */
  isGuess: boolean;
}

/** A call in progress. */
export interface OpenCall extends CallParts, CallWay {
  readonly options: CallOptions;
  /** Fetches the card again. Throws an `AgentFailure` when the card has no usable interface, and the signal's reason. */
  readonly rediscover: () => Promise<void>;
  /** Requests so far that started the task. */
  attempts: number;
  /** The agent's own id of the task, once known. */
  remoteId: string | undefined;
  /** Resolves when `remoteId` is durable. */
  remembered?: Promise<void>;
  /** The agent's last progress text. */
  progress?: string;
  /** The agent may have begun: it opened a stream, or a request that starts the task was sent and its answer was lost. */
  isBegun?: boolean;
}

/** One request of a call. */
export interface CallRequest {
  readonly operation: AgentOperation;
  /** Returns the body, JSON. */
  readonly make: () => unknown;
  /** Whether the response may be a stream of events. */
  readonly isStream?: boolean;
  /** Identifies the agent's question that this call answers. An event that repeats the question does not end the stream. */
  readonly answered?: string;
  /** Reads the replies of several polls. */
  readonly read?: (reply: AgentReply) => Reading;
}

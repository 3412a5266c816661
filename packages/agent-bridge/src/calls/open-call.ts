import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { AgentReply, ProtocolAdapter, Reading } from "../protocol/protocol-adapter.ts";
import type { CircuitBreakers } from "../limits/circuit-breakers.ts";
import type { AgentCallIds, AgentOperation, BridgeObserver } from "../observer/bridge-observer.ts";
import type { AgentClient } from "../client/agent-client.ts";
import type { CallOptions } from "./agent-caller.ts";
import type { CallTime } from "./pauses.ts";

/** What every request of a call needs. */
export interface CallParts {
  readonly client: Pick<AgentClient, "post" | "stream">;
  readonly breakers: Pick<CircuitBreakers, "admit">;
  readonly observer: BridgeObserver;
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
  readonly answered?: string | undefined;
  /** Reads the replies of several polls. */
  readonly read?: ((reply: AgentReply) => Reading) | undefined;
}

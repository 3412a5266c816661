import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { ProtocolAdapter } from "../adapters/protocol-adapter.ts";
import type { CircuitBreakers } from "../breaker/circuit-breakers.ts";
import type { AgentCallIds, AgentOperation, BridgeObserver } from "../bridge-observer.ts";
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

/** How the agent of a call is asked. It changes when the agent turns out to speak another version of A2A. */
export interface CallWay {
  ids: AgentCallIds;
  adapter: ProtocolAdapter;
  /** With the URL that is called. */
  agent: AgentRecord;
  /** With the files that the agent takes. */
  task: AgentTask;
  /** The agent's card offers streaming, and no request of this call was refused for it. */
  streams: boolean;
  /** The agent's card could not be fetched, for a reason that may pass. */
  isGuess: boolean;
}

/** A call that is under way. */
export interface OpenCall extends CallParts, CallWay {
  readonly options: CallOptions;
  /** Looks at the card again. Throws an `AgentFailure` when the card names nothing that can be called, and the signal's reason. */
  readonly rediscover: () => Promise<void>;
  /** Requests so far that started the task. */
  attempts: number;
  /** The agent's own id of the task, once it gave one. */
  remoteId: string | undefined;
  /** Resolves when `remoteId` is durable. */
  remembered?: Promise<void>;
  /** What the agent said last that it is doing. */
  progress?: string;
}

/** One request of a call. */
export interface AskedRequest {
  readonly operation: AgentOperation;
  /** Makes its body, JSON. */
  readonly make: () => unknown;
  /** The answer may be a stream of events. */
  readonly isStream?: boolean;
  /** Identifies the question that this call answers: a stream is not over with it. */
  readonly answered?: string | undefined;
}

import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { ProtocolAdapter } from "../adapters/protocol-adapter.ts";
import type { CircuitBreakers } from "../breaker/circuit-breakers.ts";
import type { AgentCallIds, BridgeObserver } from "../bridge-observer.ts";
import type { AgentClient } from "../client/agent-client.ts";
import type { CallOptions } from "./agent-caller.ts";
import type { CallTime } from "./pauses.ts";

/** What every request of a call needs. */
export interface CallParts {
  readonly client: Pick<AgentClient, "post">;
  readonly breakers: Pick<CircuitBreakers, "admit">;
  readonly observer: BridgeObserver;
  readonly time: CallTime;
}

/** A call that is under way. */
export interface OpenCall extends CallParts {
  readonly ids: AgentCallIds;
  readonly task: AgentTask;
  readonly agent: AgentRecord;
  readonly adapter: ProtocolAdapter;
  readonly options: CallOptions;
  /** Requests so far that started the task. */
  attempts: number;
  /** The agent's own name of the task, once it gave one. */
  remoteId: string | undefined;
  /** What the agent said last that it is doing. */
  progress?: string;
}

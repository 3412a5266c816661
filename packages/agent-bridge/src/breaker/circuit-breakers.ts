import type { AgentRecord } from "@crosszone/contracts";

export type CircuitState = "closed" | "open" | "half_open";

/** One call that was let through. Exactly one of the three is said of it; what is said later, or twice, changes nothing. */
export interface CircuitPass {
  /** The agent answered, be it with an error of the task: it is alive. */
  readonly succeeded: () => void;
  /** The agent is not well: unreachable, too slow, overloaded, broken. */
  readonly failed: () => void;
  /** Nothing is known: the call was given up by us. */
  readonly abandoned: () => void;
}

/** What is known of agents that failed of late. */
export interface CircuitReading {
  readonly agent: string;
  readonly state: CircuitState;
}

/**
 * Leaves agents alone that fail again and again. Each call to an agent, a retry and a poll too, asks to be admitted; one that is not is
 * an `AgentFailure` `circuit_open` with `retryAfterMs`. Lives in this process alone, so nothing that fails elsewhere can fail a call here.
 */
export interface CircuitBreakers {
  readonly admit: (agent: Pick<AgentRecord, "id" | "name" | "revision" | "timeout_ms" | "breaker">) => CircuitPass;
  /** Agents that failed of late; every other one is closed. */
  readonly readings: () => readonly CircuitReading[];
}

import type { AgentRecord } from "@crosszone/contracts";

/** `closed` lets calls through, `open` none, `half_open` one that tries. https://martinfowler.com/bliki/CircuitBreaker.html */
export type CircuitState = "closed" | "open" | "half_open";

/** What has to be known of an agent to judge how it does. */
export type GuardedAgent = Pick<AgentRecord, "id" | "name" | "revision" | "timeout_ms" | "breaker">;

/** One call that was let through. One of the three is said of it when it is over; what is said after that changes nothing. */
export interface CircuitPass {
  /** The agent answered, be it with an error of the task: it is alive. */
  readonly succeeded: () => void;
  /** The agent is not well: unreachable, too slow, overloaded, broken. */
  readonly failed: () => void;
  /** Nothing was learned: we gave the call up ourselves. */
  readonly abandoned: () => void;
}

/** How the circuit of an agent stands. */
export interface CircuitReading {
  readonly agent: string;
  readonly state: CircuitState;
}

/**
 * Leaves agents alone that fail again and again. Each call to an agent, a retry and a poll too, asks to be admitted; one that is not is
 * an `AgentFailure` `circuit_open` with `retryAfterMs`. Lives in this process alone, so nothing that fails elsewhere fails a call here.
 */
export interface CircuitBreakers {
  readonly admit: (agent: GuardedAgent) => CircuitPass;
  /** Agents that were asked of late. */
  readonly readings: () => readonly CircuitReading[];
}

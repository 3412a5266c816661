import type { AgentRecord } from "@crosszone/contracts";

/**
 * `closed` lets all calls through, `open` none, `half_open` one probe.
 * https://martinfowler.com/bliki/CircuitBreaker.html
 */
export type CircuitState = "closed" | "open" | "half_open";

/** The members of an agent that a circuit breaker needs. */
export type GuardedAgent = Pick<AgentRecord, "id" | "name" | "revision" | "timeout_ms" | "breaker">;

/** A call that was let through. Report one of the three outcomes at its end; later reports change nothing. */
export interface CircuitPass {
  /** The agent answered, even with an error: it is alive. */
  readonly succeeded: () => void;
  /** The agent is unreachable, too slow, overloaded or broken. */
  readonly failed: () => void;
  /** Nothing was learned: this zone gave the call up. */
  readonly abandoned: () => void;
}

/** The state of an agent's circuit. */
export interface CircuitReading {
  readonly agent: string;
  readonly state: CircuitState;
}

/**
 * Suspends calls to agents that fail repeatedly. Each call, retry or poll asks for admission. When refused, it fails
 * with an `AgentFailure` `circuit_open` with `retryAfterMs`. State is per process, so failures elsewhere don't affect
 * calls here.
 */
export interface CircuitBreakers {
  readonly admit: (agent: GuardedAgent) => CircuitPass;
  /** Returns the circuits of recently called agents. */
  readonly readings: () => readonly CircuitReading[];
}

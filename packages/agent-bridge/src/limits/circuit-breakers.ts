import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";

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
  /** Nothing was learned: this zone abandoned the call. */
  readonly abandoned: () => void;
}

/** The state of an agent's circuit. */
export interface CircuitReading {
  readonly agent: string;
  readonly state: CircuitState;
}

/**
 * Suspends calls to agents that fail repeatedly. Each call or retry asks for admission. When rejected, it fails with an
 * `AgentFailure` `circuit_open` with `retryAfterMs`. Polls of a running task have their own pauses: they are always
 * admitted, so that a task ends as soon as its agent is back. State is per process, so failures elsewhere don't affect calls here.
 */
export interface CircuitBreakers {
  readonly admit: (agent: GuardedAgent, isPoll?: boolean) => CircuitPass;
  /** Returns the circuits of recently called agents. */
  readonly readings: () => readonly CircuitReading[];
}

/** A state change of an agent's circuit. */
export interface CircuitChange {
  readonly agent: string;
  readonly from: CircuitState;
  readonly to: CircuitState;
}

/** The observer and the clock of circuits. */
export interface CircuitBreakersOptions {
  /** Called on each state change. Errors it throws are ignored: an observer must not affect calls. */
  readonly onChange?: (change: CircuitChange) => void;
  /** Monotonic milliseconds; the process's own clock when absent. */
  readonly now?: () => number;
}

interface Circuit {
  readonly id: string;
  readonly revision: number;
  state: CircuitState;
  /** Consecutive failures. */
  failures: number;
  /** Grows with each state change and each probe. Reports from calls of an earlier round are ignored. */
  round: number;
  /** When a probe may be sent: the first, or the next if the previous one never reported. */
  probeAt: number;
  usedAt: number;
}

/** An unused circuit is deleted after this time, milliseconds: the agent is probably gone. */
const forgottenAfterMs = 600_000;

/**
 * Creates one circuit per agent. `breaker.failures` consecutive failures open it. After `breaker.open_ms` one call is
 * let through as a probe, which closes the circuit or opens it again. If a probe doesn't report within the agent's
 * `timeout_ms`, the next call is the probe, so no circuit stays half open. Changing an agent resets its circuit.
 * https://martinfowler.com/bliki/CircuitBreaker.html
 */
export function createCircuitBreakers(options: CircuitBreakersOptions = {}): CircuitBreakers {
  const { onChange, now = () => performance.now() } = options;
  const circuits = new Map<string, Circuit>();

  const circuitOf = ({ id, name, revision }: GuardedAgent): Circuit => {
    const known = circuits.get(name);
    // A long-running call keeps the revision it started with.
    if (known?.id === id && known.revision >= revision) return known;
    const circuit: Circuit = { id, revision, state: "closed", failures: 0, round: 0, probeAt: 0, usedAt: 0 };
    circuits.set(name, circuit);
    report(name, known?.state ?? "closed", "closed");
    return circuit;
  };
  const changeState = (agent: string, circuit: Circuit, to: CircuitState): void => {
    const from = circuit.state;
    circuit.state = to;
    circuit.round += 1;
    report(agent, from, to);
  };
  const report = (agent: string, from: CircuitState, to: CircuitState): void => {
    if (from === to) return;
    try {
      onChange?.({ agent, from, to });
    } catch {
      // See `onChange`.
    }
  };

  return {
    admit: (agent, isPoll = false) => {
      const { name, breaker } = agent;
      const circuit = circuitOf(agent);
      circuit.usedAt = now();
      if (circuit.state !== "closed" && !isPoll) {
        const waitMs = Math.ceil(circuit.probeAt - circuit.usedAt);
        if (waitMs > 0) throw refusal(name, circuit.failures, waitMs);
        changeState(name, circuit, "half_open");
        circuit.probeAt = circuit.usedAt + agent.timeout_ms;
      }
      const { round } = circuit;
      return reportOnce((outcome) => {
        if (circuits.get(name) !== circuit || circuit.round !== round) return;
        if (outcome === "succeeded") {
          circuit.failures = 0;
          if (circuit.state !== "closed") changeState(name, circuit, "closed");
        } else if (isPoll && circuit.state !== "closed") {
          // The circuit's own probe decides when calls go on.
        } else if (outcome === "failed") {
          circuit.failures += 1;
          if (circuit.state === "closed" && circuit.failures < breaker.failures) return;
          changeState(name, circuit, "open");
          circuit.probeAt = now() + breaker.open_ms;
        } else if (circuit.state === "half_open") circuit.probeAt = now();
      });
    },
    readings: () => {
      const since = now() - forgottenAfterMs;
      for (const [name, { usedAt, probeAt }] of circuits) if (usedAt < since && probeAt < since) circuits.delete(name);
      return [...circuits].map(([agent, { state }]) => ({ agent, state }));
    },
  };
}

function refusal(name: string, failures: number, retryAfterMs: number): AgentFailure {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = `The agent "${name}" failed ${failures} times in a row and is suspended for now. Try again in ${seconds} s.`;
  return new AgentFailure("circuit_open", message, { retryAfterMs });
}

function reportOnce(report: (outcome: keyof CircuitPass) => void): CircuitPass {
  let over = false;
  const first = (outcome: keyof CircuitPass) => (): void => {
    if (over) return;
    over = true;
    report(outcome);
  };
  return { succeeded: first("succeeded"), failed: first("failed"), abandoned: first("abandoned") };
}

import { AgentFailure } from "../agent-failure.ts";
import type { CircuitBreakers, CircuitPass, CircuitState, GuardedAgent } from "./circuit-breakers.ts";

/** The circuit of the agent of that name came from one state to another. */
export interface CircuitChange {
  readonly agent: string;
  readonly from: CircuitState;
  readonly to: CircuitState;
}

/** Who watches the circuits, and by which clock they open and close. */
export interface CircuitBreakersOptions {
  /** Told of each change of a circuit. What it throws is dropped: whoever watches does not decide whether agents are asked. */
  readonly onChange?: (change: CircuitChange) => void;
  /** Monotonic milliseconds; the process's own when absent. */
  readonly now?: () => number;
}

interface Circuit {
  readonly id: string;
  readonly revision: number;
  state: CircuitState;
  /** In a row. */
  failures: number;
  /** Each change of the state and each probe begins another; what a call of an earlier round says no longer counts. */
  round: number;
  /** When a probe may go out: the first one, or the next when the one before was never heard of again. */
  probeAt: number;
  usedAt: number;
}

/** A circuit that nobody asked about for so long is forgotten, milliseconds: most likely the agent is gone. */
const forgottenAfterMs = 600_000;

/**
 * One circuit for each agent. `breaker.failures` failures in a row open it; after `breaker.open_ms` one call is let through as a probe and
 * closes it, or opens it again. A probe that says nothing within the agent's `timeout_ms` is given up and the next call is the probe, so
 * that no circuit stays half open. An agent that was changed begins anew. https://martinfowler.com/bliki/CircuitBreaker.html
 */
export function createCircuitBreakers(options: CircuitBreakersOptions = {}): CircuitBreakers {
  const { onChange, now = () => performance.now() } = options;
  const circuits = new Map<string, Circuit>();

  const circuitOf = ({ id, name, revision }: GuardedAgent): Circuit => {
    const known = circuits.get(name);
    // A call that polls for long goes on with the agent as it was.
    if (known?.id === id && known.revision >= revision) return known;
    const circuit: Circuit = { id, revision, state: "closed", failures: 0, round: 0, probeAt: 0, usedAt: 0 };
    circuits.set(name, circuit);
    tell(name, known?.state ?? "closed", "closed");
    return circuit;
  };
  const turn = (agent: string, circuit: Circuit, to: CircuitState): void => {
    const from = circuit.state;
    circuit.state = to;
    circuit.round += 1;
    tell(agent, from, to);
  };
  const tell = (agent: string, from: CircuitState, to: CircuitState): void => {
    if (from === to) return;
    try {
      onChange?.({ agent, from, to });
    } catch {
      // See `onChange`.
    }
  };

  return {
    admit: (agent) => {
      const { name, breaker } = agent;
      const circuit = circuitOf(agent);
      circuit.usedAt = now();
      if (circuit.state !== "closed") {
        const waitMs = Math.ceil(circuit.probeAt - circuit.usedAt);
        if (waitMs > 0) throw refusal(name, circuit.failures, waitMs);
        turn(name, circuit, "half_open");
        circuit.probeAt = circuit.usedAt + agent.timeout_ms;
      }
      const { round } = circuit;
      return sayOnce((said) => {
        if (circuits.get(name) !== circuit || circuit.round !== round) return;
        if (said === "succeeded") {
          circuit.failures = 0;
          if (circuit.state === "half_open") turn(name, circuit, "closed");
        } else if (said === "failed") {
          circuit.failures += 1;
          if (circuit.state === "closed" && circuit.failures < breaker.failures) return;
          turn(name, circuit, "open");
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
  const message = `The agent "${name}" failed ${failures} times in a row and is left alone for now. Try again in ${seconds} s.`;
  return new AgentFailure("circuit_open", message, { retryAfterMs });
}

function sayOnce(say: (word: keyof CircuitPass) => void): CircuitPass {
  let over = false;
  const first = (word: keyof CircuitPass) => (): void => {
    if (over) return;
    over = true;
    say(word);
  };
  return { succeeded: first("succeeded"), failed: first("failed"), abandoned: first("abandoned") };
}

import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";

/**
 * `closed` lets all calls through, `open` none, `half_open` one probe.
 * https://martinfowler.com/bliki/CircuitBreaker.html
 */
export type CircuitState = "closed" | "open" | "half_open";

/**
 * How a call that was let through ended:
 * - `succeeded`: the agent answered, even with an error: it is alive.
 * - `failed`: the agent is unreachable, too slow, overloaded or broken.
 * - `abandoned`: nothing was learned, because this zone abandoned the call.
 */
export type CircuitOutcome = "succeeded" | "failed" | "abandoned";

/** Reports the outcome of a call that was let through. Only the first report counts. */
export type CircuitPass = (outcome: CircuitOutcome) => void;

export interface CircuitChange {
  readonly agent: string;
  readonly from: CircuitState;
  readonly to: CircuitState;
}

interface CircuitBreakersOptions {
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
 * Suspends calls to agents that fail repeatedly, with one circuit per agent. `breaker.failures` consecutive failures open it. After
 * `breaker.open_ms` one call is let through as a probe, which closes the circuit or opens it again. If a probe doesn't report within the
 * agent's `timeout_ms`, the next call is the probe, so no circuit stays half open. Changing an agent resets its circuit. State is per
 * process, so failures elsewhere don't affect calls here. https://martinfowler.com/bliki/CircuitBreaker.html
 */
export class CircuitBreakers {
  readonly #circuits = new Map<string, Circuit>();
  readonly #options: CircuitBreakersOptions;
  readonly #now: () => number;

  constructor(options: CircuitBreakersOptions = {}) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Lets a call or retry through. Throws an `AgentFailure` `circuit_open` with `retryAfterMs`. Polls of a running task have their own pauses:
   * they are always admitted, so that a task ends as soon as its agent is back.
   */
  admit(agent: AgentRecord, isPoll = false): CircuitPass {
    const { name } = agent;
    const circuit = this.#circuitOf(agent);
    circuit.usedAt = this.#now();
    if (circuit.state !== "closed" && !isPoll) {
      const waitMs = Math.ceil(circuit.probeAt - circuit.usedAt);
      if (waitMs > 0) throw refusal(name, circuit.failures, waitMs);
      this.#change(name, circuit, "half_open");
      circuit.probeAt = circuit.usedAt + agent.timeout_ms;
    }
    const { round } = circuit;
    let isOver = false;
    return (outcome) => {
      const isCurrent = !isOver && this.#circuits.get(name) === circuit && circuit.round === round;
      isOver = true;
      if (isCurrent) this.#end(agent, circuit, { outcome, isPoll });
    };
  }

  /** Returns the states of the circuits of recently called agents. */
  readings(): readonly { readonly agent: string; readonly state: CircuitState }[] {
    const since = this.#now() - forgottenAfterMs;
    for (const [name, { usedAt, probeAt }] of this.#circuits)
      if (usedAt < since && probeAt < since) this.#circuits.delete(name);
    return [...this.#circuits].map(([agent, { state }]) => ({ agent, state }));
  }

  #end(
    { name, breaker }: AgentRecord,
    circuit: Circuit,
    { outcome, isPoll }: { readonly outcome: CircuitOutcome; readonly isPoll: boolean },
  ): void {
    if (outcome === "succeeded") {
      circuit.failures = 0;
      if (circuit.state !== "closed") this.#change(name, circuit, "closed");
    } else if (isPoll && circuit.state !== "closed") {
      // The circuit's own probe decides when calls go on.
    } else if (outcome === "failed") {
      circuit.failures += 1;
      if (circuit.state === "closed" && circuit.failures < breaker.failures) return;
      this.#change(name, circuit, "open");
      circuit.probeAt = this.#now() + breaker.open_ms;
    } else if (circuit.state === "half_open") circuit.probeAt = this.#now();
  }

  #circuitOf({ id, name, revision }: AgentRecord): Circuit {
    const known = this.#circuits.get(name);
    // A long-running call keeps the revision it started with.
    if (known?.id === id && known.revision >= revision) return known;
    const circuit: Circuit = { id, revision, state: "closed", failures: 0, round: 0, probeAt: 0, usedAt: 0 };
    this.#circuits.set(name, circuit);
    this.#report(name, known?.state ?? "closed", "closed");
    return circuit;
  }

  #change(agent: string, circuit: Circuit, to: CircuitState): void {
    const from = circuit.state;
    circuit.state = to;
    circuit.round += 1;
    this.#report(agent, from, to);
  }

  #report(agent: string, from: CircuitState, to: CircuitState): void {
    if (from === to) return;
    try {
      this.#options.onChange?.({ agent, from, to });
    } catch {
      // See `onChange`.
    }
  }
}

function refusal(name: string, failures: number, retryAfterMs: number): AgentFailure {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = `The agent "${name}" failed ${failures} times in a row and is suspended for now. Try again in ${seconds} s.`;
  return new AgentFailure("circuit_open", message, { retryAfterMs });
}

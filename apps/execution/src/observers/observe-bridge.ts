import type { AgentBridge, AgentSlots, CircuitBreakers, CircuitState } from "@crosszone/agent-bridge";
import { createGauge, createCounter } from "@crosszone/service-kit";
import { callOperations, type CallObserver } from "../agents/calls/task-calls.ts";
import { runOperations, type RunObserver } from "../agents/workflows/task-runs.ts";
import type { Telemetry } from "./telemetry.ts";

/** Shares one read among concurrent callers: all gauges of a scrape use the same read. */
export function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}

/** Readings of the bridge, available at any time. */
export interface BridgeGauges {
  readonly bridge: Pick<AgentBridge, "readings">;
  readonly breakers: Pick<CircuitBreakers, "readings">;
  readonly slots: Pick<AgentSlots, "readings">;
  /** Whether a name is that of an agent. */
  readonly isKnown: (name: string) => boolean;
}

const circuitValues = { closed: 0, half_open: 1, open: 2 } satisfies Record<CircuitState, number>;

/** Updates the gauges of the bridge and its agents at each scrape. */
export function measureBridge(
  { registry }: Telemetry["metrics"],
  { bridge, breakers, slots, isKnown }: BridgeGauges,
): void {
  const read = readTogether(bridge.readings);
  createGauge(registry, "agent_calls_waiting", async () => (await read()).waiting);
  createGauge(registry, "agent_call_oldest_waiting_seconds", async () => (await read()).oldestWaitingMs / 1_000);
  createGauge(registry, "agent_calls_running", {
    labels: { agent_name: isKnown },
    read: () => [...slots.readings()].map(([agent_name, value]) => ({ labels: { agent_name }, value })),
  });
  createGauge(registry, "agent_circuit_state", {
    labels: { agent_name: isKnown },
    read: () =>
      breakers.readings().map(({ agent, state }) => ({ labels: { agent_name: agent }, value: circuitValues[state] })),
  });
}

/** Turns failures of agent calls into log lines and metrics. */
export function observeCalls({ logger, metrics: { registry } }: Telemetry): CallObserver {
  const failures = createCounter(registry, "task_call_failures_total", { operation: callOperations });
  return {
    callFailed: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_call_failed", { operation, cause });
    },
  };
}

/** Turns failures of tasks' runs into log lines and metrics. */
export function observeRuns({ logger, metrics: { registry } }: Telemetry): RunObserver {
  const failures = createCounter(registry, "task_run_failures_total", { operation: runOperations });
  return {
    runFailed: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_run_unreachable", { operation, cause });
    },
  };
}

import type { AgentBridge, AgentSlots, CircuitBreakers, CircuitState } from "@crosszone/agent-bridge";
import { busLabels, type KafkaGateway } from "@crosszone/kafka-gateway";
import { createGauge, type Metrics } from "@crosszone/service-kit";
import type { Workflows } from "@crosszone/workflow";

/** Shares one read among concurrent callers: all gauges of a scrape use the same read. */
function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}

/** Readings of the bridge, available at any time. */
export interface BridgeGauges {
  readonly calls: AgentBridge["readings"];
  readonly circuits: CircuitBreakers["readings"];
  readonly slots: AgentSlots["readings"];
  /** Whether a name is that of an agent. */
  readonly isKnown: (name: string) => boolean;
}

const circuitValues = { closed: 0, half_open: 1, open: 2 } satisfies Record<CircuitState, number>;

/** Updates the gauges of the bridge and its agents at each scrape. */
export function measureBridge({ registry }: Metrics, { calls, circuits, slots, isKnown }: BridgeGauges): void {
  const read = readTogether(calls);
  createGauge(registry, "agent_calls_waiting", async () => (await read()).waiting);
  createGauge(registry, "agent_call_oldest_waiting_seconds", async () => (await read()).oldestWaitingMs / 1_000);
  createGauge(registry, "agent_calls_running", {
    labels: { agent_name: isKnown },
    read: () => [...slots()].map(([agent_name, value]) => ({ labels: { agent_name }, value })),
  });
  createGauge(registry, "agent_circuit_state", {
    labels: { agent_name: isKnown },
    read: () => circuits().map(({ agent, state }) => ({ labels: { agent_name: agent }, value: circuitValues[state] })),
  });
}

/** Updates the run gauges at each scrape, for all processes that share the database. */
export function measureWorkflows({ registry }: Metrics, readings: Workflows["readings"]): void {
  const read = readTogether(readings);
  createGauge(registry, "workflow_runs_open", async () => (await read()).open);
  createGauge(registry, "workflow_run_oldest_due_seconds", async () => (await read()).oldestDueMs / 1_000);
}

/** Updates the queue gauges at each scrape. */
export function measureQueues({ registry }: Metrics, readQueues: KafkaGateway["readQueues"]): void {
  const read = readTogether(readQueues);
  createGauge(registry, "bus_queue_messages", {
    labels: busLabels,
    read: async () =>
      (await read()).map((queue) => ({ labels: { channel: queue.channel, group: queue.group }, value: queue.waiting })),
  });
  createGauge(registry, "bus_queue_oldest_age_seconds", {
    labels: busLabels,
    read: async () =>
      (await read()).map((queue) => ({
        labels: { channel: queue.channel, group: queue.group },
        value: queue.oldestMs / 1_000,
      })),
  });
}

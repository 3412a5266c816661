import { agentErrorTable } from "@crosszone/contracts";
import {
  createCounter,
  createHistogram,
  createRedMetrics,
  type CounterInstrument,
  type HistogramInstrument,
  type MetricsRegistry,
  type RedMetrics,
} from "@crosszone/service-kit";
import { agentTaskEnds, storeOperations } from "./bridge-observer.ts";

/** The allowed label values. All others become `other`, because names come from outside. */
export interface BridgeLabels {
  readonly protocols: readonly string[];
  /** Whether an agent of this name is registered. */
  readonly isAgent: (name: string) => boolean;
}

/** Buckets for translation times, which are microseconds: from ten of them to a quarter of a second. In seconds. */
const translationBuckets = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25,
];

const directions = ["request", "response"];
const kinds = Object.keys(agentErrorTable);

interface CallMetrics {
  readonly requests: CounterInstrument<"protocol" | "agent_name">;
  readonly translation: HistogramInstrument<"protocol" | "direction">;
  readonly translationErrors: CounterInstrument<"protocol" | "direction" | "error_type">;
  readonly calls: RedMetrics<"agent_name">;
  readonly retries: CounterInstrument<"agent_name" | "error_type">;
  readonly circuits: CounterInstrument<"agent_name" | "to">;
}

interface TaskMetrics {
  readonly tasks: RedMetrics<"agent_name">;
  readonly storeFailures: CounterInstrument<"operation">;
}

export type BridgeMetrics = CallMetrics & TaskMetrics;

/** Creates the bridge's metrics. */
export const createBridgeMetrics = (registry: MetricsRegistry, labels: BridgeLabels): BridgeMetrics => ({
  ...createCallMetrics(registry, labels),
  ...createTaskMetrics(registry, labels),
});

function createCallMetrics(registry: MetricsRegistry, { protocols, isAgent }: BridgeLabels): CallMetrics {
  return {
    requests: createCounter(registry, {
      name: "agent_protocol_requests_total",
      labels: { protocol: protocols, agent_name: isAgent },
    }),
    translation: createHistogram(registry, {
      name: "protocol_translation_duration_seconds",
      labels: { protocol: protocols, direction: directions },
      buckets: translationBuckets,
    }),
    translationErrors: createCounter(registry, {
      name: "protocol_translation_errors_total",
      labels: { protocol: protocols, direction: directions, error_type: kinds },
    }),
    calls: createRedMetrics(registry, {
      name: "agent_call",
      labels: { agent_name: isAgent },
      outcomes: ["success", "aborted", ...kinds],
    }),
    retries: createCounter(registry, {
      name: "agent_call_retries_total",
      labels: { agent_name: isAgent, error_type: kinds },
    }),
    circuits: createCounter(registry, {
      name: "agent_circuit_changes_total",
      labels: { agent_name: isAgent, to: ["closed", "open", "half_open"] },
    }),
  };
}

function createTaskMetrics(registry: MetricsRegistry, { isAgent }: BridgeLabels): TaskMetrics {
  return {
    tasks: createRedMetrics(registry, {
      name: "bridge_call",
      labels: { agent_name: isAgent },
      outcomes: agentTaskEnds,
    }),
    storeFailures: createCounter(registry, {
      name: "agent_store_failures_total",
      labels: { operation: storeOperations },
    }),
  };
}

import { agentErrorTable } from "@crosszone/contracts";
import {
  createCounter,
  createHistogram,
  createRedMetrics,
  measured,
  type MetricsRegistry,
} from "@crosszone/service-kit";
import { agentTaskEnds, type BridgeEmit, storeOperations } from "./agent-events.ts";

export interface MeasureCallsOptions {
  readonly registry: MetricsRegistry;
  /** The allowed label values. All others become `other`, because names come from outside. */
  readonly protocols: readonly string[];
  /** Whether an agent of this name is registered. */
  readonly isAgent: (name: string) => boolean;
}

/** The fields of the events that are measured. Durations are milliseconds. */
interface Measured {
  readonly protocol: string;
  readonly agent_name: string;
  readonly direction: string;
  readonly kind: string;
  readonly state: string;
  readonly to: string;
  readonly operation: string;
  readonly duration_ms: number;
}

/** Returns a function that measures the bridge's events, and reports them to `emit`. */
export function measureCalls(emit: BridgeEmit, { registry, protocols, isAgent }: MeasureCallsOptions): BridgeEmit {
  const [protocol, agent_name, direction] = [protocols, isAgent, ["request", "response"]];
  const error_type = Object.keys(agentErrorTable);
  const outcomes = ["success", "aborted", ...error_type];
  const requests = createCounter(registry, "agent_protocol_requests_total", { protocol, agent_name });
  const translation = createHistogram(registry, "protocol_translation_duration_seconds", { protocol, direction });
  const errors = createCounter(registry, "protocol_translation_errors_total", { protocol, direction, error_type });
  const calls = createRedMetrics(registry, "agent_call", { labels: { agent_name }, outcomes });
  const retries = createCounter(registry, "agent_call_retries_total", { agent_name, error_type });
  const to = ["closed", "open", "half_open"];
  const circuits = createCounter(registry, "agent_circuit_changes_total", { agent_name, to });
  const tasks = createRedMetrics(registry, "bridge_call", { labels: { agent_name }, outcomes: agentTaskEnds });
  const storeFailures = createCounter(registry, "agent_store_failures_total", { operation: storeOperations });

  const translated = (labels: { readonly protocol: string; readonly direction: string }, durationMs: number): void =>
    translation.observe(labels, durationMs / 1_000);
  const ended = (one: Measured, outcome: string): void =>
    calls.record({ labels: { agent_name: one.agent_name }, outcome, durationMs: one.duration_ms });
  return measured(emit, {
    protocol_request_translation: (one: Measured) => {
      requests.add({ protocol: one.protocol, agent_name: one.agent_name });
      translated({ protocol: one.protocol, direction: "request" }, one.duration_ms);
    },
    protocol_response_translation: (one: Measured) =>
      translated({ protocol: one.protocol, direction: "response" }, one.duration_ms),
    protocol_translation_error: (one: Measured) =>
      errors.add({ protocol: one.protocol, direction: one.direction, error_type: one.kind }),
    agent_call_retried: (one: Measured) => retries.add({ agent_name: one.agent_name, error_type: one.kind }),
    agent_call_ended: (one: Measured) => ended(one, one.kind ?? "success"),
    agent_call_failed: (one: Measured) => ended(one, one.kind),
    agent_call_aborted: (one: Measured) => ended(one, "aborted"),
    agent_circuit_changed: (one: Measured) => circuits.add({ agent_name: one.agent_name, to: one.to }),
    bridge_call_ended: (one: Measured) =>
      tasks.record({ labels: { agent_name: one.agent_name }, outcome: one.state, durationMs: one.duration_ms }),
    agent_store_failed: (one: Measured) => storeFailures.add({ operation: one.operation }),
  });
}

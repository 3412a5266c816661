import { createAdapters } from "@crosszone/agent-bridge";
import { agentErrorTable, errorTable, zoneMethods } from "@crosszone/contracts";
import { badRequestStatuses, createEmit, type Emit, type Logger, type Metrics } from "@crosszone/service-kit";
import { busLabels } from "@crosszone/kafka-gateway";
import { executionEvents, type ExecutionEvent } from "@crosszone/telemetry";
import { refusalReasons } from "../http/refuse.ts";

/** Makes the function that logs and measures the zone's events. Other names of agents come from outside, and count as `other`. */
export function createZoneEmit(
  { logger, metrics }: { readonly logger: Logger<ExecutionEvent>; readonly metrics: Metrics },
  agentNames: ReadonlySet<string> = new Set(),
): Emit<ExecutionEvent> {
  const sets = {
    agent: (name: string) => agentNames.has(name),
    agent_error_kind: Object.keys(agentErrorTable),
    bus_channel: busLabels.channel,
    bus_group: busLabels.group,
    error_kind: Object.keys(errorTable),
    http_refusal: [...refusalReasons, ...badRequestStatuses.map((status) => `http_${status}`)],
    protocol: createAdapters().supported,
    zone_method: Object.keys(zoneMethods),
  };
  return createEmit({ logger, events: executionEvents, measured: { registry: metrics.registry, sets } });
}

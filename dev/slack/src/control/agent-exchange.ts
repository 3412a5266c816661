import type { NewTrafficEntry } from "../traffic/traffic-log.ts";

/** A request to an agent and its response, as execution posts it. A later event of a stream has no request. */
export interface AgentExchange {
  agent_name: string;
  correlation_id: string;
  at: string;
  operation: string;
  protocol: string;
  /** Milliseconds. */
  duration_ms: number;
  request?: unknown;
  /** HTTP status; absent without a response. */
  status?: number;
  response?: unknown;
  problem?: string;
}

/** Returns the exchange as an entry of the Traffic tab. */
export function asTraffic({
  agent_name,
  operation,
  at,
  duration_ms,
  status,
  problem,
  ...exchange
}: AgentExchange): NewTrafficEntry {
  const { request = null, response = null, protocol, correlation_id } = exchange;
  const { method } = (request ?? {}) as { method?: unknown };
  const asked = request === null ? "event" : typeof method === "string" ? method : operation;
  return {
    at: Date.parse(at),
    kind: "agent",
    name: `${agent_name}: ${asked}`,
    status: status ?? 0,
    ms: duration_ms,
    verdict: problem ?? `${protocol}, ${correlation_id}`,
    request,
    response,
  };
}

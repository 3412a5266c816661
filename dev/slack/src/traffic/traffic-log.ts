import type { AgentExchange, TrafficEntry } from "../protocol/control-api.ts";
import type { ChangeFeed } from "../workspace/change-feed.ts";
import type { Redactor } from "./redact.ts";

/** An entry before it is numbered and redacted. */
export type NewTrafficEntry = Omit<TrafficEntry, "id">;

/** Stores recent traffic. */
export interface TrafficLog {
  record(entry: NewTrafficEntry): void;
  /** Oldest first. */
  entries(): TrafficEntry[];
}

/** Makes a log that redacts, stores and publishes entries, and keeps the last `capacity` ones. */
export function createTrafficLog(feed: ChangeFeed, redact: Redactor, capacity = 500): TrafficLog {
  const entries: TrafficEntry[] = [];
  let id = 0;
  return {
    record: (raw) => {
      const { request, response, events } = raw;
      const entry = {
        ...raw,
        id: ++id,
        request: redact(request),
        response: redact(response),
        ...(events && { events: events.map((event) => redact(event)) }),
      };
      entries.push(entry);
      if (entries.length > capacity) entries.shift();
      feed.publish({ type: "traffic", entry });
    },
    entries: () => [...entries],
  };
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

import type { TrafficEntry } from "../../control/protocol.ts";

/** Which entries to show. */
export type TrafficFilter = "all" | TrafficEntry["kind"];

/** What each kind is called, in the order of the filter buttons. */
export const kindNames: Readonly<Record<TrafficEntry["kind"], string>> = {
  event: "Event",
  web_api: "Web API",
  rpc: "JSON-RPC",
  agent: "Agent",
};

/** How an entry looks: it went well, it was refused (4xx), or it failed (5xx, no answer). */
export type Outcome = "good" | "refused" | "failed";

/** The entries of one kind, the last to begin first: an entry is known when it ends, which may be much later. */
export function filterTraffic(traffic: readonly TrafficEntry[], filter: TrafficFilter): TrafficEntry[] {
  const shown = traffic.filter((entry) => filter === "all" || entry.kind === filter);
  return shown.toSorted((a, b) => b.at - a.at || b.id - a.id);
}

/** How many entries each filter shows. */
export function countTraffic(traffic: readonly TrafficEntry[]): Record<TrafficFilter, number> {
  const count = (kind: TrafficEntry["kind"]): number => traffic.filter((entry) => entry.kind === kind).length;
  return {
    all: traffic.length,
    event: count("event"),
    web_api: count("web_api"),
    rpc: count("rpc"),
    agent: count("agent"),
  };
}

/** The colour of an entry; a Web API error comes with status 200 and `ok: false`, a JSON-RPC one with `error`. */
export function outcomeOf({ status, response }: TrafficEntry): Outcome {
  if (status === 0 || status >= 500) return "failed";
  if (status >= 400) return "refused";
  const body = (typeof response === "object" && response !== null ? response : {}) as { ok?: unknown; error?: unknown };
  return body.ok === false || (body.error !== undefined && body.error !== null) ? "refused" : "good";
}

/** `3 ms`, `1.2 s`. */
export function duration(ms: number): string {
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

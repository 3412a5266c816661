import type { TrafficEntry } from "../../protocol/control-api.ts";
import { h } from "../frame/element.ts";

/** Which entries to show. */
export type TrafficFilter = "all" | TrafficEntry["kind"];

/** The label of each kind, in the order of the filter buttons. */
export const kindNames: Readonly<Record<TrafficEntry["kind"], string>> = {
  event: "Event",
  web_api: "Web API",
  rpc: "JSON-RPC",
  agent: "Agent",
};

/** The outcome of an entry: success, refused (4xx), or failed (5xx, no response). */
type Outcome = "good" | "refused" | "failed";

/** Returns the outcome of an entry; a Web API error has status 200 and `ok: false`, a JSON-RPC one has `error`. */
export function outcomeOf({ status, response }: TrafficEntry): Outcome {
  if (status === 0 || status >= 500) return "failed";
  if (status >= 400) return "refused";
  const body = (typeof response === "object" && response !== null ? response : {}) as { ok?: unknown; error?: unknown };
  return body.ok === false || (body.error !== undefined && body.error !== null) ? "refused" : "good";
}

/** Returns `3 ms`, `1.2 s`. */
export function duration(ms: number): string {
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Draws a traffic entry as a line that expands to its request and response. */
export function drawTrafficRow(entry: TrafficEntry): HTMLElement {
  const details = h("details", {}, drawLine(entry));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(drawBodies(entry));
  });
  const attributes = { "data-testid": "traffic-row", "data-kind": entry.kind, "data-status": entry.status };
  return h("li", attributes, details);
}

function drawLine(entry: TrafficEntry): HTMLElement {
  const at = new Date(entry.at);
  return h(
    "summary",
    { class: "traffic-line", "data-testid": "traffic-line" },
    h("time", { datetime: at.toISOString(), title: at.toLocaleString() }, at.toLocaleTimeString("sv-SE")),
    h("span", { class: `kind kind-${entry.kind}` }, kindNames[entry.kind]),
    h("span", { class: "traffic-name", title: entry.name }, entry.name),
    h("span", { class: `verdict ${outcomeOf(entry)}`, title: entry.verdict }, entry.verdict),
    h("span", { class: "number" }, entry.status === 0 ? "none" : String(entry.status)),
    h("span", { class: "number" }, duration(entry.ms)),
  );
}

function drawBodies({ request, response, events }: TrafficEntry): HTMLElement {
  const body = (title: string, value: unknown): HTMLElement =>
    h(
      "section",
      {},
      h("h4", {}, title),
      h("pre", { tabindex: 0, "aria-label": title }, JSON.stringify(value, undefined, 2) ?? "nothing"),
    );
  return h(
    "div",
    { class: "traffic-bodies" },
    body("Request", request),
    ...(events ? [body("Events", events)] : []),
    body("Response", response),
  );
}

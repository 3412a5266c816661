import type { TrafficEntry } from "../../control/protocol.ts";
import { h } from "../frame/element.ts";
import { jsonTokens } from "../text/json-token.ts";
import { duration, kindNames, outcomeOf } from "./traffic-view.ts";

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
  const body = (title: string, value: unknown): HTMLElement => {
    const tokens = jsonTokens(value).map(({ kind, text }) =>
      kind === "plain" ? text : h("span", { class: `json-${kind}` }, text),
    );
    return h(
      "section",
      {},
      h("h4", {}, title),
      h("pre", { tabindex: 0, "aria-label": title }, h("code", {}, ...tokens)),
    );
  };
  return h(
    "div",
    { class: "traffic-bodies" },
    body("Request", request),
    ...(events ? [body("Events", events)] : []),
    body("Response", response),
  );
}

import type { TrafficEntry } from "../../control/protocol.ts";
import { h } from "../frame/element.ts";
import { duration, kindNames, outcomeOf } from "./traffic-view.ts";

/** A piece of pretty-printed JSON, with its kind for colouring. */
interface JsonToken {
  kind: "key" | "string" | "number" | "word" | "plain";
  text: string;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g;

/** Splits a value's indented JSON into tokens; joining them gives exactly that JSON. */
export function jsonTokens(value: unknown): JsonToken[] {
  const json = JSON.stringify(value, undefined, 2) ?? "nothing";
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const found of json.matchAll(token)) {
    if (found.index > end) tokens.push({ kind: "plain", text: json.slice(end, found.index) });
    const [text, string, colon, number] = found;
    tokens.push({
      kind: string === undefined ? (number === undefined ? "word" : "number") : colon ? "key" : "string",
      text,
    });
    end = found.index + text.length;
  }
  if (end < json.length) tokens.push({ kind: "plain", text: json.slice(end) });
  return tokens;
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

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { turnsOf } from "../wire/conversations.ts";
import type { WireExchange } from "../wire/wire-exchange.ts";

/** Path of the page with the conversation and the wire, at the proxy. */
export const pagePath = "/_crosszone";

const script = `
const el = (tag, text, cls) => Object.assign(document.createElement(tag), { textContent: text, className: cls || "" });
let seen = "";
const show = async () => {
  const text = await (await fetch("${pagePath}/state")).text();
  if (text === seen) return;
  seen = text;
  const { name, turns, exchanges } = JSON.parse(text);
  document.title = name;
  talk.replaceChildren(el("h1", name), ...turns.flatMap(({ message, answer }) => [
    el("p", message, "you"),
    el("p", answer ? (answer.state === "completed" ? "" : "[" + answer.state + "] ") + answer.text : "…", "agent")]));
  const open = new Set([...wire.querySelectorAll("details[open]")].map((d) => d.dataset.n));
  wire.replaceChildren(el("h1", "Wire"), ...exchanges.map((x) => {
    const d = document.createElement("details");
    d.dataset.n = x.n;
    d.open = open.has(String(x.n));
    const what = x.request && x.request.method || x.path;
    d.append(el("summary", x.n + " " + what + " · " + (x.problem || x.status || "…") + " · " + (x.duration_ms ?? "…") + " ms"),
      el("pre", JSON.stringify(x.request, null, 2)), el("pre", JSON.stringify(x.events || x.response, null, 2)));
    return d;
  }));
};
setInterval(() => show().catch(() => (talk.dataset.off = "")), 500);
show();
`;

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; margin: 1.5rem }
@media (max-width: 50rem) { body { grid-template-columns: 1fr } }
h1 { font-size: 1.1rem } p { padding: .5rem .8rem; border-radius: .6rem; white-space: pre-wrap; overflow-wrap: anywhere }
.you { background: color-mix(in srgb, CanvasText 8%, Canvas); margin-left: 3rem } .agent { border: 1px solid #8886 }
pre { overflow: auto; font-size: .8rem } summary { cursor: pointer; font-family: ui-monospace, monospace; font-size: .85rem }
`;

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Agent</title><style>${style}</style><main id="talk"></main><section id="wire" aria-label="Wire"></section><script>${script}</script></html>`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** What the page shows. */
interface Shown {
  readonly name: string;
  readonly exchanges: readonly WireExchange[];
}

/** Returns the handler of the proxy's own pages. */
export function createOwnPages(read: () => Shown) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const pathname = URL.parse(request.url ?? "/", "http://proxy")?.pathname;
    if (request.method !== "GET" || (pathname !== pagePath && pathname !== `${pagePath}/state`)) return false;
    const headers = {
      "content-security-policy": policy,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    };
    if (pathname === pagePath) response.writeHead(200, { ...headers, "content-type": "text/html" }).end(page);
    else {
      const { name, exchanges } = read();
      const state = JSON.stringify({ name, turns: turnsOf(exchanges), exchanges });
      response.writeHead(200, { ...headers, "content-type": "application/json" }).end(state);
    }
    return true;
  };
}

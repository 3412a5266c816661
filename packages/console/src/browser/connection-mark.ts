import type { Connection } from "./api/watch-run.ts";
import { byId, h } from "./element.ts";

const words: Readonly<Record<Connection, string>> = {
  live: "Live",
  reconnecting: "Reconnecting…",
  at_rest: "Up to date",
};

/** Shows whether the page is up to date. */
export function showConnection(connection: Connection): void {
  const mark = byId("connection");
  if (mark.dataset["connection"] === connection) return;
  mark.dataset["connection"] = connection;
  mark.replaceChildren(h("span", { class: "connection-dot", "aria-hidden": "true" }), words[connection]);
}

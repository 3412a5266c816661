import type { TrafficEntry } from "../../protocol/control-api.ts";
import { h, reconcile } from "../frame/element.ts";
import type { Names } from "../text/names.ts";
import { mrkdwnWords } from "../text/rich-text.ts";
import { spanOf, type TrafficGroup } from "./group-traffic.ts";
import { drawTrafficRow, duration, outcomeOf } from "./traffic-row.ts";

/** The row of a group. It keeps its element, so that what a reader opened stays open while entries are added. */
export interface GroupRow {
  readonly element: HTMLElement;
  /** Shows a group and its entries. `isOpen` applies until the reader opens or closes it. */
  update(group: TrafficGroup & { shown: readonly TrafficEntry[] }, view: { names: Names; isOpen: boolean }): void;
}

/** Makes the row of a group. */
export function createGroupRow(): GroupRow {
  const summary = h("summary", { class: "traffic-line group-line", "data-testid": "traffic-group-line" });
  const list = h("ol", { class: "traffic-rows" });
  const details = h("details", {}, summary, list);
  const element = h("li", { "data-testid": "traffic-group" }, details);
  let chosen: boolean | undefined;
  summary.addEventListener("click", () => (chosen = !details.open));
  return {
    element,
    update: (group, { names, isOpen }) => {
      details.open = chosen ?? isOpen;
      summary.replaceChildren(...summaryOf(group, names));
      list.setAttribute("aria-label", titleOf(group, names));
      const rows = group.shown.map((entry) => ({ key: `${entry.id}/${entry.at}`, version: "", entry }));
      reconcile(list, rows, ({ entry }) => drawTrafficRow(entry));
    },
  };
}

const titleOf = ({ key, title }: TrafficGroup, names: Names): string =>
  key === "other" ? "Connections and lookups" : mrkdwnWords(title, names);

function summaryOf(group: TrafficGroup, names: Names): HTMLElement[] {
  const { at, ms } = spanOf(group);
  const began = new Date(at);
  const bad = group.entries.map(outcomeOf).filter((outcome) => outcome !== "good");
  const name = (id: string | undefined): string | undefined => id && (names.get(id) ?? id);
  const channel = name(group.channel);
  const title = titleOf(group, names);
  const by = [name(group.user), channel && (group.channel?.startsWith("C") ? `#${channel}` : "direct message")];
  const what = [...by.filter(Boolean), countsOf(group.entries), ...(bad.length > 0 ? [`${bad.length} failed`] : [])];
  return [
    h("time", { datetime: began.toISOString(), title: began.toLocaleString() }, began.toLocaleTimeString("sv-SE")),
    h("span", { class: "group-title", title }, title),
    h("span", { class: `verdict ${bad[0] ?? "good"}` }, what.join(" · ")),
    // The rest has no end of its own.
    h("span", { class: "number" }, group.key === "other" ? "" : duration(ms)),
  ];
}

const words: Readonly<Record<TrafficEntry["kind"], readonly [one: string, more: string]>> = {
  event: ["event", "events"],
  web_api: ["Slack call", "Slack calls"],
  rpc: ["call across the wall", "calls across the wall"],
  agent: ["agent call", "agent calls"],
};

/** Returns `2 events, 4 Slack calls, 1 call across the wall`. */
function countsOf(entries: readonly TrafficEntry[]): string {
  const counts = (Object.keys(words) as TrafficEntry["kind"][]).map((kind) => {
    const count = entries.filter((entry) => entry.kind === kind).length;
    return count === 0 ? "" : `${count} ${words[kind][count === 1 ? 0 : 1]}`;
  });
  return counts.filter(Boolean).join(", ");
}

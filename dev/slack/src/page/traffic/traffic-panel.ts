import type { TrafficEntry } from "../../protocol/control-api.ts";
import { byId, h, reconcile } from "../frame/element.ts";
import type { PageState, Store } from "../state/page-state.ts";
import { namesOf } from "../text/names.ts";
import { groupTraffic } from "./group-traffic.ts";
import { createGroupRow, type GroupRow } from "./group-row.ts";
import { kindNames, type TrafficFilter } from "./traffic-row.ts";

const isIn = (filter: TrafficFilter, { kind }: TrafficEntry): boolean => filter === "all" || kind === filter;

/** Mounts the Traffic tab: a row for each question, the newest first, which expands to everything that crossed a wire for it. */
export function mountTraffic(store: Store<PageState>): void {
  let filter: TrafficFilter = "all";
  const filters: [TrafficFilter, string][] = [
    ["all", "All"],
    ...(Object.entries(kindNames) as [TrafficFilter, string][]),
  ];
  const buttons = filters.map(([kind, label]) => {
    const count = h("span", { class: "count" });
    const onclick = (): void => {
      filter = kind;
      draw(store.state);
    };
    const button = h(
      "button",
      { type: "button", class: "filter", "data-testid": "traffic-filter", "data-kind": kind, onclick },
      label,
      count,
    );
    return { kind, count, button };
  });
  byId("traffic-filters").append(...buttons.map(({ button }) => button));
  const rows = new Map<string, GroupRow>();

  const draw = ({ traffic, place, workspace }: PageState): void => {
    const isShown = place.view === "traffic";
    byId("traffic").hidden = !isShown;
    if (!isShown) return;
    document.title = "Traffic · Local Slack";
    for (const { kind, count, button } of buttons) {
      count.textContent = String(traffic.filter((entry) => isIn(kind, entry)).length);
      button.setAttribute("aria-pressed", String(kind === filter));
    }
    const groups = groupTraffic(traffic).flatMap((group) => {
      const entries = group.entries.filter((entry) => isIn(filter, entry));
      return entries.length === 0 ? [] : [{ ...group, version: "", shown: entries }];
    });
    reconcile(byId("traffic-rows"), groups, ({ key }) => {
      const row = createGroupRow();
      rows.set(key, row);
      return row.element;
    });
    const names = namesOf(workspace);
    // A reader who opens the tab sees what their last question did.
    for (const [index, group] of groups.entries()) rows.get(group.key)?.update(group, { names, isOpen: index === 0 });
    byId("traffic-empty").hidden = groups.length > 0;
  };
  store.watch(draw);
}

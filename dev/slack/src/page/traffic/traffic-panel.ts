import { byId, h, reconcile } from "../frame/element.ts";
import type { PageState, Store } from "../state/page-state.ts";
import { countTraffic, drawTrafficRow, filterTraffic, kindNames, type TrafficFilter } from "./traffic-row.ts";

/** Mounts the Traffic tab: all recorded traffic, newest first. */
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

  const draw = ({ traffic, place }: PageState): void => {
    const isShown = place.view === "traffic";
    byId("traffic").hidden = !isShown;
    if (!isShown) return;
    document.title = "Traffic · Local Slack";
    const counts = countTraffic(traffic);
    for (const { kind, count, button } of buttons) {
      count.textContent = String(counts[kind]);
      button.setAttribute("aria-pressed", String(kind === filter));
    }
    const rows = filterTraffic(traffic, filter).map((entry) => ({
      key: `${entry.id}/${entry.at}`,
      version: "",
      entry,
    }));
    reconcile(byId("traffic-rows"), rows, ({ entry }) => drawTrafficRow(entry));
    byId("traffic-empty").hidden = rows.length > 0;
  };
  store.watch(draw);
}

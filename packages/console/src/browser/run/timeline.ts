import { h } from "../element.ts";
import { showChildren } from "../keyed-children.ts";
import { durationText } from "../text/duration-text.ts";
import type { ShownRun } from "./shown-run.ts";
import { timelineRows, type TimelineBar } from "./timeline-rows.ts";

export interface Timeline {
  readonly element: HTMLElement;
  readonly show: (shown: ShownRun, selected: string | undefined, now: number) => void;
}

/** Lists the steps with their durations: the graph's content, ordered by time. */
export function createTimeline(onSelect: (stepId: string) => void): Timeline {
  const list = h("ol", { class: "timeline" });
  const end = h("span");
  const axis = h("p", { class: "timeline-axis", "aria-hidden": "true" }, h("span", {}, "0"), end);
  const element = h(
    "section",
    { class: "surface", "aria-labelledby": "timeline" },
    h("h2", { id: "timeline" }, "Timeline"),
    list,
    axis,
  );

  function show(shown: ShownRun, selected: string | undefined, now: number): void {
    const { created_at, ended_at, started_at } = shown.run;
    end.textContent = durationText(
      (ended_at === undefined ? now : Date.parse(ended_at)) - Date.parse(started_at ?? created_at),
    );
    const rows = timelineRows(shown, now);
    showChildren(list, rows, {
      keyOf: ({ stepId }) => stepId,
      versionOf: ({ title }) => title,
      draw: ({ depth, stepId, title }) => {
        const name = h("span", { class: "timeline-name" }, title);
        name.style.paddingInlineStart = `${String(Math.min(depth, 6) * 0.9)}rem`;
        const parts = [name, h("span", { class: "timeline-bars" }), h("span", { class: "timeline-took" })];
        return h(
          "li",
          {},
          h("button", { type: "button", class: "timeline-row", onclick: () => onSelect(stepId) }, ...parts),
        );
      },
    });
    for (const [index, { bars, spoken, stepId, took }] of rows.entries()) {
      const button = list.children[index]?.firstElementChild;
      const [, track, time] = button?.children ?? [];
      if (!button || !track || !time) continue;
      button.setAttribute("aria-label", spoken);
      button.setAttribute("aria-pressed", String(stepId === selected));
      time.textContent = took;
      showBars(track, bars);
    }
  }

  return { element, show };
}

function showBars(track: Element, bars: readonly TimelineBar[]): void {
  showChildren(track, bars, {
    keyOf: ({ path }) => path,
    versionOf: () => "",
    draw: () => h("span", { class: "timeline-bar" }),
  });
  for (const [index, { left, state, width }] of bars.entries()) {
    const bar = track.children[index];
    if (!(bar instanceof HTMLElement)) continue;
    bar.dataset["state"] = state;
    bar.style.insetInlineStart = `${left.toFixed(2)}%`;
    bar.style.width = `${width.toFixed(2)}%`;
  }
}

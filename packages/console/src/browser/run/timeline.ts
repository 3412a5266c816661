import { type ComponentChild, h } from "preact";
import { durationText } from "../words.ts";
import { type ShownRun, type TimelineRow, timelineRows } from "./shown-run.ts";

interface TimelineDeps {
  readonly selected: string | undefined;
  /** Unix milliseconds. */
  readonly now: number;
  readonly onSelect: (stepId: string) => void;
}

/** Lists the steps with their durations: the graph's content, ordered by time. */
export function timeline(shown: ShownRun, deps: TimelineDeps): ComponentChild {
  const { created_at, ended_at, started_at } = shown.run;
  const end = ended_at === undefined ? deps.now : Date.parse(ended_at);
  return h(
    "section",
    { class: "surface", "aria-labelledby": "timeline" },
    h("h2", { id: "timeline" }, "Timeline"),
    h(
      "ol",
      { class: "timeline" },
      timelineRows(shown, deps.now).map((row) => rowView(row, deps)),
    ),
    h(
      "p",
      { class: "timeline-axis", "aria-hidden": "true" },
      h("span", null, "0"),
      h("span", null, durationText(end - Date.parse(started_at ?? created_at))),
    ),
  );
}

function rowView(
  { bars, depth, spoken, stepId, title, took }: TimelineRow,
  { onSelect, selected }: TimelineDeps,
): ComponentChild {
  const indent = { paddingInlineStart: `${String(Math.min(depth, 6) * 0.9)}rem` };
  const bar = ({ left, path, state, width }: TimelineRow["bars"][number]): ComponentChild =>
    h("span", {
      class: "timeline-bar",
      key: path,
      "data-state": state,
      style: { insetInlineStart: `${left.toFixed(2)}%`, width: `${width.toFixed(2)}%` },
    });
  return h(
    "li",
    { key: stepId },
    h(
      "button",
      {
        type: "button",
        class: "timeline-row",
        "aria-label": spoken,
        "aria-pressed": String(stepId === selected),
        onClick: () => onSelect(stepId),
      },
      h("span", { class: "timeline-name", style: indent }, title),
      " ",
      h("span", { class: "timeline-bars" }, bars.map(bar)),
      h("span", { class: "timeline-took" }, took),
    ),
  );
}

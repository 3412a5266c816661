import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import { durationText, shownStepState, spanMs, stateWords } from "../words.ts";
import type { ShownRun } from "./shown-run.ts";

interface TimelineRow {
  readonly stepId: string;
  readonly title: string;
  readonly depth: number;
  readonly bars: readonly {
    readonly path: string;
    readonly state: string;
    /** Percent of the timeline's width. */
    readonly left: number;
    readonly width: number;
  }[];
  /** The time from the first start to the last end. */
  readonly took: string;
  readonly spoken: string;
}

/** More bars in a row would be indistinguishable. */
const mostBars = 300;

/** Returns when each step of a run was active, from its start to its end or now: a row per step, a bar per instance. */
export function timelineRows({ graph, run, steps }: ShownRun, now: number): readonly TimelineRow[] {
  const start = Date.parse(run.started_at ?? run.created_at);
  const whole = Math.max(1, (run.ended_at === undefined ? now : Date.parse(run.ended_at)) - start);
  const parents = new Map(graph.nodes.map(({ id, parent }) => [id, parent]));
  const depthOf = (id: string): number => {
    const parent = parents.get(id);
    return parent === undefined ? 0 : 1 + depthOf(parent);
  };
  const byStep = Map.groupBy([...steps.values()], ({ step_id }) => step_id);
  return graph.nodes.map(({ id, state, title: given, type }) => {
    const title = visibleLine(given);
    const begun = (byStep.get(id) ?? []).filter(({ started_at }) => started_at !== undefined);
    const bars = begun.slice(0, mostBars).map(({ path, state: barState, ...span }) => {
      const left = Math.max(0, Math.min(99.6, ((Date.parse(span.started_at ?? "") - start) / whole) * 100));
      return {
        path,
        state: barState,
        left,
        width: Math.max(0.4, Math.min(100 - left, ((spanMs(span, now) ?? 0) / whole) * 100)),
      };
    });
    const first = Math.min(...begun.map(({ started_at }) => Date.parse(started_at ?? "")));
    const last = Math.max(...begun.map(({ ended_at }) => (ended_at === undefined ? now : Date.parse(ended_at))));
    const took = begun.length === 0 ? "" : durationText(last - first);
    return {
      stepId: id,
      title,
      depth: depthOf(id),
      bars,
      took,
      // The visible text first: people say to their computer what they see.
      spoken: `${title}${took && `, ${took}`}, ${stateWords[shownStepState(state, type)]}`,
    };
  });
}

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

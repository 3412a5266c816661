import type { WorkflowStepRecord } from "@crosszone/contracts";
import { h, type ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { stateMark } from "../state-mark.ts";
import { spanText, stateWords } from "../text/step-words.ts";

export interface InstanceListProps {
  readonly instances: readonly WorkflowStepRecord[];
  readonly selected: string | undefined;
  /** Unix milliseconds. */
  readonly now: number;
  readonly onSelect: (path: string) => void;
}

/** Maximum number of listed instances. The filter finds the others. */
const most = 200;

const states = ["running", "succeeded", "failed", "pending", "canceled"] as const;

/** Lists the instances of a step in a loop; the user selects one. */
export function InstanceList(props: InstanceListProps): ComponentChild {
  const { instances } = props;
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState("");
  const fitting = instances.filter(
    ({ path, state }) => path.includes(text.trim()) && (wanted === "" || state === wanted),
  );
  const typed = ({ currentTarget }: Event): string => (currentTarget as HTMLInputElement | HTMLSelectElement).value;
  return h(
    "section",
    { class: "part" },
    h("h3", null, "Instances"),
    h(
      "div",
      { class: "filters" },
      h("input", {
        type: "search",
        placeholder: "Filter, e.g. [12]",
        "aria-label": "Filter instances by path",
        onInput: (event: Event) => setText(typed(event)),
      }),
      h(
        "select",
        { "aria-label": "Filter instances by state", onInput: (event: Event) => setWanted(typed(event)) },
        h("option", { value: "" }, "All states"),
        ...states.map((state) => h("option", { value: state }, stateWords[state])),
      ),
    ),
    h(
      "ul",
      { class: "instances", "aria-label": "Instances" },
      fitting.slice(0, most).map((instance) => instanceRow(instance, props)),
    ),
    h(
      "p",
      { class: "muted", role: "status" },
      countText(Math.min(fitting.length, most), fitting.length, instances.length),
    ),
  );
}

function countText(shown: number, fitting: number, all: number): string {
  if (shown < fitting) return `The first ${String(shown)} of ${String(fitting)}. Filter to see others.`;
  return fitting === all ? `${String(all)} total` : `${String(fitting)} of ${String(all)}`;
}

function instanceRow(
  { attempt, path, state, ...span }: WorkflowStepRecord,
  { now, onSelect, selected }: InstanceListProps,
): ComponentChild {
  return h(
    "li",
    { key: path },
    h(
      "button",
      { type: "button", class: "instance", "aria-pressed": String(path === selected), onClick: () => onSelect(path) },
      stateMark(state),
      h("span", { class: "path" }, path),
      attempt > 1 && h("span", { class: "tag" }, `attempt ${String(attempt)}`),
      h("span", { class: "instance-state", "data-state": state }, stateWords[state]),
      h("span", { class: "muted" }, spanText(span, now) ?? ""),
    ),
  );
}

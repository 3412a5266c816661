import type { WorkflowStepRecord } from "@crosszone/contracts";
import { h } from "../element.ts";
import { showChildren } from "../keyed-children.ts";
import { stateMark } from "../state-mark.ts";
import { spanText } from "../text/duration-text.ts";
import { stateWords } from "../text/state-words.ts";

export interface InstanceList {
  readonly element: HTMLElement;
  readonly show: (instances: readonly WorkflowStepRecord[], selected: string | undefined, now: number) => void;
}

/** The most instances listed at once. The filter finds the others. */
const most = 200;

/** Lists the instances of a step in a loop; the user selects one. */
export function createInstanceList(onSelect: (path: string) => void): InstanceList {
  const text = h("input", {
    type: "search",
    placeholder: "Filter, e.g. [12]",
    "aria-label": "Filter instances by path",
  });
  const states = h("select", { "aria-label": "Filter instances by state" }, h("option", { value: "" }, "All states"));
  for (const state of ["running", "succeeded", "failed", "pending", "canceled"] as const)
    states.append(h("option", { value: state }, stateWords[state]));
  const count = h("p", { class: "muted", role: "status" });
  const list = h("ul", { class: "instances", "aria-label": "Instances" });
  const element = h(
    "section",
    { class: "part" },
    h("h3", {}, "Instances"),
    h("div", { class: "filters" }, text, states),
    list,
    count,
  );
  let last: Parameters<InstanceList["show"]> = [[], undefined, 0];

  function show(...given: Parameters<InstanceList["show"]>): void {
    last = given;
    const [instances, selected, now] = given;
    const fitting = instances.filter(
      ({ path, state }) => path.includes(text.value.trim()) && (states.value === "" || state === states.value),
    );
    count.textContent = countText(Math.min(fitting.length, most), fitting.length, instances.length);
    showChildren(list, fitting.slice(0, most), {
      keyOf: ({ path }) => path,
      versionOf: ({ attempt, ended_at, path, started_at, state }) =>
        [state, attempt, path === selected, ended_at === undefined && started_at !== undefined ? now : ended_at].join(
          " ",
        ),
      draw: (instance) => instanceRow(instance, { isSelected: instance.path === selected, now, onSelect }),
    });
  }

  for (const field of [text, states]) field.addEventListener("input", () => show(...last));
  return { element, show };
}

function countText(shown: number, fitting: number, all: number): string {
  if (shown < fitting) return `The first ${String(shown)} of ${String(fitting)}. Filter to see others.`;
  return fitting === all ? `${String(all)} total` : `${String(fitting)} of ${String(all)}`;
}

function instanceRow(
  { attempt, path, state, ...span }: WorkflowStepRecord,
  {
    isSelected,
    now,
    onSelect,
  }: { readonly isSelected: boolean; readonly now: number; readonly onSelect: (path: string) => void },
): HTMLElement {
  const attempts = attempt > 1 && h("span", { class: "tag" }, `attempt ${String(attempt)}`);
  const took = h("span", { class: "muted" }, spanText(span, now) ?? "");
  const word = h("span", { class: "instance-state", "data-state": state }, stateWords[state]);
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "instance", "aria-pressed": String(isSelected), onclick: () => onSelect(path) },
      stateMark(state),
      h("span", { class: "path" }, path),
      attempts,
      word,
      took,
    ),
  );
}

import type { RunState } from "@crosszone/contracts";
import type { RunFilter } from "../api/run-api.ts";
import { h } from "../element.ts";
import { stateWords } from "../text/state-words.ts";

const states: readonly RunState[] = ["running", "pending", "succeeded", "failed", "timed_out", "canceled"];

/** Reads the filter from the address, so that it can be shared. */
export function readFilter(): RunFilter {
  const query = new URLSearchParams(location.search);
  const text = (name: string): string => query.get(name) ?? "";
  return {
    state: text("state"),
    workflow_id: text("workflow_id"),
    correlation_id: text("correlation_id"),
    offset: Math.max(0, Math.trunc(Number(text("offset"))) || 0),
  };
}

export function writeFilter(filter: RunFilter): void {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "" && value !== 0);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  history.replaceState(null, "", location.pathname + (query && `?${query}`));
}

/** How long to wait after the last keystroke, milliseconds. */
const settleMs = 300;

export function filterForm(filter: RunFilter, onChange: (filter: RunFilter) => void): HTMLElement {
  const state = h("select", { id: "filter-state" }, h("option", { value: "" }, "All"));
  for (const each of states)
    state.append(h("option", { value: each, selected: each === filter.state }, stateWords[each]));
  const workflow = h("input", {
    id: "filter-workflow",
    type: "search",
    value: filter.workflow_id,
    placeholder: "publish-text",
    spellcheck: "false",
  });
  const correlation = h("input", {
    id: "filter-correlation",
    type: "search",
    value: filter.correlation_id,
    spellcheck: "false",
  });
  let settling: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    clearTimeout(settling);
    const wanted = {
      state: state.value,
      workflow_id: workflow.value.trim(),
      correlation_id: correlation.value.trim(),
      offset: 0,
    };
    settling = setTimeout(() => onChange(wanted), settleMs);
  };
  for (const field of [state, workflow, correlation]) field.addEventListener("input", changed);
  const labelled = (label: string, field: HTMLElement): HTMLElement =>
    h("label", { for: field.id }, h("span", {}, label), field);
  return h(
    "form",
    { class: "filters", role: "search", "aria-label": "Filter runs", onsubmit: (event) => event.preventDefault() },
    labelled("State", state),
    labelled("Workflow", workflow),
    labelled("Correlation id", correlation),
  );
}

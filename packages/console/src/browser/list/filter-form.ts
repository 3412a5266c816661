import type { RunState } from "@crosszone/contracts";
import { h, type ComponentChild } from "preact";
import type { RunFilter } from "../api/run-api.ts";
import { stateWords } from "../text/step-words.ts";

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
const quietMs = 300;
let typing: ReturnType<typeof setTimeout> | undefined;

/** The fields that filter the list. `onChange` receives the filter when the user stops typing. */
export function filterForm(filter: RunFilter, onChange: (filter: RunFilter) => void): ComponentChild {
  function changed({ currentTarget }: Event): void {
    const fields = new FormData(currentTarget as HTMLFormElement);
    const text = (name: string): string => {
      const value = fields.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const wanted = {
      state: text("state"),
      workflow_id: text("workflow_id"),
      correlation_id: text("correlation_id"),
      offset: 0,
    };
    clearTimeout(typing);
    typing = setTimeout(() => onChange(wanted), quietMs);
  }

  const input = (id: string, name: "workflow_id" | "correlation_id", placeholder?: string): ComponentChild =>
    h("input", { type: "search", id, name, placeholder, defaultValue: filter[name], spellcheck: false });
  const options = [
    h("option", { value: "" }, "All"),
    ...states.map((each) => h("option", { value: each, selected: each === filter.state }, stateWords[each])),
  ];
  return h(
    "form",
    {
      class: "filters",
      role: "search",
      "aria-label": "Filter runs",
      onInput: changed,
      onSubmit: (event: Event) => event.preventDefault(),
    },
    field("State", "filter-state", h("select", { id: "filter-state", name: "state" }, ...options)),
    field("Workflow", "filter-workflow", input("filter-workflow", "workflow_id", "publish-text")),
    field("Correlation id", "filter-correlation", input("filter-correlation", "correlation_id")),
  );
}

const field = (label: string, id: string, input: ComponentChild): ComponentChild =>
  h("label", { for: id }, h("span", null, label), input);

import type { WorkflowRun } from "@crosszone/contracts";
import { h, type ComponentChild, type ComponentChildren } from "preact";
import type { RunChange } from "../api/run-api.ts";
import { stateChip } from "../state-mark.ts";
import { fromNowText, spanText, timeText } from "../text/duration-text.ts";
import { isFinal, isRetryable } from "../text/state-words.ts";
import { problemSection, type WayToStep } from "./values.ts";

export interface RunHeaderDeps extends WayToStep {
  readonly onChange: (what: RunChange) => void;
  /** Unix milliseconds. */
  readonly now: number;
  /** The result of the last click. */
  readonly said: string;
}

/** Shows a run's name, state and times, and the buttons that change it. */
export function runHeader(run: WorkflowRun, { now, onChange, said, ...way }: RunHeaderDeps): ComponentChild {
  const { error, name, state, version, workflow_id } = run;
  const change = (what: RunChange, look: string, text: string): ComponentChild =>
    h("button", { type: "button", class: look, onClick: () => onChange(what) }, text);
  return h(
    "header",
    { class: "run-header" },
    h(
      "div",
      { class: "run-title" },
      h("div", null, h("h1", null, name), h("span", { class: "muted" }, `${workflow_id} ${version}`)),
      h("span", { class: "state", "data-testid": "run-state" }, stateChip(state)),
      h(
        "div",
        { class: "choices" },
        !isFinal(state) && change("cancel", "dangerous", "Cancel…"),
        isRetryable(state) && change("retry", "primary", "Retry…"),
      ),
    ),
    runFacts(run, now),
    // A canceled run shows no error: its state says enough.
    h("div", null, error && state !== "canceled" && problemSection(error, way)),
    h("p", { class: "said", role: "alert" }, said),
  );
}

function runFacts(run: WorkflowRun, now: number): ComponentChild {
  const { correlation_id, created_at, deadline, ended_at, run_id, started_at } = run;
  const began = started_at ?? created_at;
  const isOpen = ended_at === undefined;
  const fact = (name: string, value: ComponentChildren, title?: string): ComponentChild =>
    h("div", { key: name }, h("dt", null, name), h("dd", { title }, value));
  const href = `/runs?correlation_id=${encodeURIComponent(correlation_id)}`;
  return h(
    "dl",
    { class: "run-facts" },
    fact("Started", `${timeText(began)} (${fromNowText(began, now)})`, new Date(began).toLocaleString()),
    fact(isOpen ? "Running for" : "Took", spanText({ started_at: began, ...(ended_at && { ended_at }) }, now)),
    isOpen && deadline !== undefined && fact("Deadline", fromNowText(deadline, now), deadline),
    fact("Run", run_id),
    fact("Correlation id", h("a", { href, title: "All runs with this id" }, correlation_id)),
  );
}

import type { WorkflowRunSummary } from "@crosszone/contracts";
import { h } from "../element.ts";
import { stateChip } from "../state-mark.ts";
import { fromNowText, spanText } from "../text/duration-text.ts";

/** A run in the list. The whole row is clickable; the name is the link. */
export function runRow(run: WorkflowRunSummary, now: number): HTMLTableRowElement {
  const { correlation_id, created_at, ended_at, error, name, run_id, started_at, state, version, workflow_id } = run;
  const began = started_at ?? created_at;
  const link = h("a", { class: "row-link", href: `/runs/${encodeURIComponent(run_id)}` }, name);
  const why = error && state !== "canceled" && h("span", { class: "row-error" }, error.message);
  return h(
    "tr",
    { "data-state": state, "data-run": run_id },
    h("td", { class: "row-state" }, stateChip(state)),
    h("td", { class: "row-name" }, link, h("span", { class: "muted" }, `${workflow_id} ${version}`), why),
    h(
      "td",
      { class: "row-began", title: new Date(began).toLocaleString() },
      h("time", { datetime: began }, fromNowText(began, now)),
    ),
    h("td", { class: "row-took" }, spanText({ started_at: began, ...(ended_at && { ended_at }) }, now)),
    h("td", { class: "row-correlation path", title: correlation_id }, correlation_id),
  );
}

/** Changes when a row must be drawn again. For a running run it changes with the clock. */
export function rowVersion({ created_at, ended_at, revision, started_at }: WorkflowRunSummary, now: number): string {
  return [revision, fromNowText(started_at ?? created_at, now), ended_at ?? now].join(" ");
}

import type { WorkflowRun } from "@crosszone/contracts";
import type { RunChange } from "../api/run-api.ts";
import { h } from "../element.ts";
import { stateChip } from "../state-mark.ts";
import { fromNowText, spanText, timeText } from "../text/duration-text.ts";
import { isFinal, isRetryable } from "../text/state-words.ts";
import { problemSection, type WayToStep } from "./problem-section.ts";

export interface RunHeader {
  readonly element: HTMLElement;
  readonly show: (run: WorkflowRun, now: number) => void;
  /** Shows the result of a click. */
  readonly say: (text: string) => void;
}

export interface RunHeaderDeps extends WayToStep {
  readonly onChange: (what: RunChange) => void;
}

/** Shows a run's name, state and times, and the buttons that change it. */
export function createRunHeader({ onChange, ...way }: RunHeaderDeps): RunHeader {
  const cancel = h("button", { type: "button", class: "dangerous", onclick: () => onChange("cancel") }, "Cancel…");
  const retry = h("button", { type: "button", class: "primary", onclick: () => onChange("retry") }, "Retry…");
  const title = h("h1");
  const workflow = h("span", { class: "muted" });
  const state = h("span", { class: "state", "data-testid": "run-state" });
  const facts = h("dl", { class: "run-facts" });
  const problem = h("div");
  const said = h("p", { class: "said", role: "alert" });
  const element = h(
    "header",
    { class: "run-header" },
    h(
      "div",
      { class: "run-title" },
      h("div", {}, title, workflow),
      state,
      h("div", { class: "choices" }, cancel, retry),
    ),
    facts,
    problem,
    said,
  );
  const values = new Map<string, HTMLElement>();
  let shown = "";

  function fact(name: string, value: string | undefined, full?: string): void {
    const known = values.get(name) ?? h("dd");
    if (!values.has(name)) {
      values.set(name, known);
      facts.append(h("div", {}, h("dt", {}, name), known));
    }
    known.parentElement?.toggleAttribute("hidden", value === undefined);
    if (known.textContent !== value) known.textContent = value ?? "";
    if (full !== undefined) known.title = full;
  }

  /** A canceled run shows no error: its state says enough. */
  function problemsOf({ error, state: end }: WorkflowRun): HTMLElement[] {
    if (error === undefined || end === "canceled") return [];
    return [problemSection(error, way)];
  }

  function show(run: WorkflowRun, now: number): void {
    const { correlation_id, created_at, deadline, ended_at, run_id, started_at } = run;
    const version = JSON.stringify([run_id, run.state, run.error]);
    if (shown !== version) {
      shown = version;
      title.textContent = run.name;
      workflow.textContent = `${run.workflow_id} ${run.version}`;
      state.replaceChildren(stateChip(run.state));
      cancel.hidden = isFinal(run.state);
      retry.hidden = !isRetryable(run.state);
      problem.replaceChildren(...problemsOf(run));
      document.title = `${run.name} · ${run.state.replace("_", " ")} · Crosszone`;
    }
    const began = started_at ?? created_at;
    fact("Started", `${timeText(began)} (${fromNowText(began, now)})`, new Date(began).toLocaleString());
    fact(
      ended_at === undefined ? "Running for" : "Took",
      spanText({ started_at: began, ...(ended_at && { ended_at }) }, now),
    );
    fact(ended_at === undefined ? "Took" : "Running for", undefined);
    fact(
      "Deadline",
      ended_at === undefined && deadline !== undefined ? fromNowText(deadline, now) : undefined,
      deadline,
    );
    showIds(run_id, correlation_id);
  }

  function showIds(runId: string, correlationId: string): void {
    fact("Run", runId);
    if (values.has("Correlation id")) return;
    fact("Correlation id", "");
    const href = `/runs?correlation_id=${encodeURIComponent(correlationId)}`;
    values.get("Correlation id")?.append(h("a", { href, title: "All runs with this id" }, correlationId));
    values.get("Correlation id")?.parentElement?.removeAttribute("hidden");
  }

  return { element, show, say: (text) => (said.textContent = text) };
}

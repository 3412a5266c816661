import type { WorkflowRun } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { h, type ComponentChild, type ComponentChildren } from "preact";
import type { RunChange } from "../api/run-api.ts";
import { stateChip } from "../state-mark.ts";
import { fromNowText, spanText, timeText, isFinal } from "../text/step-words.ts";
import { inputList, type InputListDeps } from "./input-list.ts";
import { inputsOf, type ShownRun } from "./shown-run.ts";
import { problemSection, type WayToStep } from "./values.ts";

export interface RunHeaderDeps extends WayToStep, Pick<InputListDeps, "onWithdraw"> {
  readonly onChange: (what: RunChange) => void;
  /** Unix milliseconds. */
  readonly now: number;
  /** The result of the last click. */
  readonly said: string;
}

/** Shows a run's name, state and times, and the buttons that change it. */
export function runHeader(shown: ShownRun, { now, onChange, onWithdraw, said, ...way }: RunHeaderDeps): ComponentChild {
  const { run } = shown;
  const { error, name, retryable, state, version, workflow_id } = run;
  const advice = adviceFor(run);
  const change = (what: RunChange, look: string, text: string): ComponentChild =>
    h("button", { type: "button", class: look, onClick: () => onChange(what) }, text);
  return h(
    "header",
    { class: "run-header" },
    h(
      "div",
      { class: "run-title" },
      h("div", null, h("h1", null, visibleLine(name)), h("span", { class: "muted" }, `${workflow_id} ${version}`)),
      h("span", { class: "state", "data-testid": "run-state" }, stateChip(state)),
      h(
        "div",
        { class: "choices" },
        !isFinal(state) && change("cancel", "dangerous", "Cancel…"),
        retryable === true && change("retry", advice === undefined ? "primary" : "", "Retry…"),
      ),
    ),
    runFacts(shown, now),
    // A canceled run shows no error: its state says enough.
    h("div", null, error && state !== "canceled" && problemSection(error, { at: run.ended_at, way })),
    advice !== undefined && h("p", { class: "muted" }, advice),
    h("p", { class: "said", role: "alert" }, said),
    inputList("Waits for", inputsOf(shown, true), { now, onWithdraw }),
  );
}

/** Returns what to do before a retry, or instead of one. */
function adviceFor({ error, retryable }: WorkflowRun): string | undefined {
  if (retryable === false)
    return "A retry would fail the same way. Fix the workflow, store it as a new version, and start a new run.";
  return error?.agent_error?.retryable === false
    ? "Check the agent first: the same request is likely to fail again."
    : undefined;
}

function runFacts({ run, inputs: [input], task }: ShownRun, now: number): ComponentChild {
  const requester = input?.requester ?? task?.user_id;
  const thread = [input?.channel ?? task?.channel, input?.thread_ts].filter((part) => part !== undefined);
  const { correlation_id, created_at, deadline, ended_at, run_id, started_at } = run;
  const began = started_at ?? created_at;
  const isOpen = ended_at === undefined;
  // The time between a failure and the retry is not counted.
  const lastAttempt = Math.max(1, ...run.steps.map(({ attempt }) => attempt));
  const retried = lastAttempt === 1 ? [] : run.steps.filter(({ attempt }) => attempt === lastAttempt);
  const [since = began] = retried.flatMap((step) => step.started_at ?? []).toSorted();
  const fact = (name: string, value: ComponentChildren, title?: string): ComponentChild =>
    h("div", { key: name }, h("dt", null, name), h("dd", { title }, value));
  const href = `/runs?correlation_id=${encodeURIComponent(correlation_id)}`;
  return h(
    "dl",
    { class: "run-facts" },
    fact("Started", `${timeText(began)} (${fromNowText(began, now)})`, new Date(began).toLocaleString()),
    lastAttempt > 1 && fact("Attempt", String(lastAttempt)),
    fact(isOpen ? "Running for" : "Took", spanText({ started_at: since, ended_at }, now)),
    isOpen && deadline !== undefined && fact("Deadline", fromNowText(deadline, now), deadline),
    requester !== undefined && fact("Requester", requester),
    thread.length > 0 && fact("Thread", thread.join(" · ")),
    fact("Run", run_id),
    fact("Correlation id", h("a", { href, title: "All runs with this id" }, correlation_id)),
  );
}

import type { RunProblem, WorkflowRun } from "@crosszone/contracts";
import { shortId, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import { actOnInput, inputList } from "../approvals/input-card.ts";
import { type Confirmation, confirmed } from "../dialog.ts";
import { byId, copyable, factList, muted, saidLine, showContent, stateChip, threadLink } from "../frame.ts";
import type { Place } from "../navigation.ts";
import { may } from "../session.ts";
import { clockText, fromNowText, fullTime, hasRunEnded, personText, spanText, stateWords, timeText } from "../words.ts";
import { FollowedRun } from "./follow-run.ts";
import { GraphDrawing } from "./graph-drawing.ts";
import { inputsOf, type Selection, selectionOf, type ShownRun, stepTitle } from "./shown-run.ts";
import { stepPanel, type StepPanelDeps } from "./step-panel.ts";
import { timeline } from "./timeline.ts";
import { problemSection } from "../values.ts";

/** The changes that a user can request. */
type RunAct = "cancel" | "retry";

const confirmations: Readonly<Record<RunAct, Confirmation>> = {
  cancel: {
    title: "Cancel this run?",
    text: "This stops its steps and cancels their tasks at the agents. A canceled run can't be resumed.",
    yes: "Cancel run",
    no: "Keep running",
    look: "dangerous",
  },
  retry: {
    title: "Retry this run?",
    text: "The run resumes where it failed. Steps that succeeded are not run again; failed steps are sent to their agents again.",
    yes: "Retry run",
    no: "Don't retry",
    look: "primary",
  },
};

interface RunViewDeps extends StepPanelDeps {
  readonly onChange: (what: RunAct) => void;
  readonly selection: Selection | undefined;
  /** The result of the last click. */
  readonly said: string;
}

/** Shows a run's name, state and times, and the buttons that change it. */
function runHeader(shown: ShownRun, deps: RunViewDeps): ComponentChild {
  const { run } = shown;
  const now = deps.now();
  const { error, name, retryable, state, version, workflow_id } = run;
  const advice = adviceFor(run);
  const mayAct = may(deps.session, "runs:act");
  const waits = inputsOf(shown, true).length > 0;
  const change = (what: RunAct, look: string, text: string): ComponentChild =>
    h("button", { type: "button", class: look, onClick: () => deps.onChange(what) }, text);
  return h(
    "header",
    { class: "run-header" },
    h(
      "div",
      { class: "run-title" },
      h("div", null, h("h1", null, visibleLine(name)), h("span", { class: "muted" }, `${workflow_id} ${version}`)),
      h("span", { class: "state", "data-testid": "run-state" }, stateChip(waits ? "waiting" : state)),
      h(
        "div",
        { class: "choices" },
        mayAct && !hasRunEnded(state) && change("cancel", "dangerous", "Cancel…"),
        mayAct && retryable === true && change("retry", advice === undefined ? "primary" : "", "Retry…"),
      ),
    ),
    runFacts(shown, now),
    // A canceled run shows no error: its state says enough. The panel of the step that failed says it there.
    h("div", null, error && state !== "canceled" && !isInPanel(run, deps.selection) && failureOf(run, error, deps)),
    advice !== undefined && muted(advice),
    saidLine(deps.said),
    inputList("Waits for", inputsOf(shown, true), { ...deps, now }),
  );
}

function isInPanel({ error }: WorkflowRun, selection: Selection | undefined): boolean {
  const { path = "" } = error ?? {};
  return selection?.stepId === selectionOf(path).stepId && (selection.path ?? path) === path;
}

/** Says why a run failed, at which step and by which agent. The data of the agent's error is with the step. */
function failureOf(
  { ended_at, steps }: WorkflowRun,
  error: RunProblem,
  { goTo, titleOf }: RunViewDeps,
): ComponentChild {
  const { agent_name: agent } = steps.find(({ path }) => path === error.path) ?? {};
  const { agent_error: _data, ...problem } = error;
  return problemSection(error.path === undefined ? error : problem, ended_at, { goTo, titleOf, agent });
}

/** Returns what to do before a retry, or instead of one. */
function adviceFor({ error, retryable }: WorkflowRun): string | undefined {
  if (retryable === false)
    return "A retry would fail the same way. Fix the workflow, store it as a new version, and start a new run.";
  return error?.agent_error?.retryable === false
    ? "Check the agent first: the same request is likely to fail again."
    : undefined;
}

/** A deadline that is paused doesn't count down. */
function deadlineText({ deadline, remaining_ms: left }: WorkflowRun, now: number): string | undefined {
  if (left !== undefined) return `Paused, ${clockText(left)} left`;
  return deadline && fromNowText(deadline, now);
}

function runFacts({ run }: ShownRun, now: number): ComponentChild {
  const { correlation_id, created_at, deadline, ended_at, names, requester, run_id, started_at } = run;
  const began = started_at ?? created_at;
  const isOpen = ended_at === undefined;
  // The time between a failure and the retry is not counted.
  const lastAttempt = Math.max(1, ...run.steps.map(({ attempt }) => attempt));
  const retried = lastAttempt === 1 ? [] : run.steps.filter(({ attempt }) => attempt === lastAttempt);
  const [since = began] = retried.flatMap((step) => step.started_at ?? []).toSorted();
  const href = `/console/runs?correlation_id=${encodeURIComponent(correlation_id)}`;
  return factList([
    ["Started", `${timeText(began)} (${fromNowText(began, now)})`, fullTime(began)],
    ["Attempt", lastAttempt > 1 && String(lastAttempt)],
    [isOpen ? "Running for" : "Took", spanText({ started_at: since, ended_at }, now)],
    ["Deadline", isOpen && deadlineText(run, now), deadline],
    ["Started by", requester && personText(requester, names), requester],
    ["Thread", threadLink(run)],
    ["Run", copyable(run_id)],
    ["Reference", h("a", { href, title: `All runs with the reference ${correlation_id}` }, shortId(correlation_id))],
  ]);
}

/** Shows a run and follows it until the place ends. */
export function openRunView(place: Place, runId: string): void {
  const { api, signal } = place;
  let selection: Selection | undefined = readSelection();
  let said = "";
  let announced: string | undefined;
  const run = new FollowedRun(place, runId, show);
  const showAgain = (): void => run.shown && show(run.shown);

  const deps: StepPanelDeps = {
    goTo: (path) => select(selectionOf(path)),
    titleOf: (path) => {
      const definition = run.shown?.run.definition;
      return definition ? stepTitle(definition.steps, path) : path;
    },
    select,
    attempts: (path) => api.call("listStepAttempts", { run_id: runId, path, redact: true }, signal),
    now: api.now,
    session: place.session,
    onInput: (request, act) => void answer(request, act),
  };

  async function change(what: RunAct): Promise<void> {
    said = await confirmed(confirmations[what], () => api.call(`${what}Run`, { run_id: runId }));
    run.wake();
    showAgain();
  }

  async function answer(...[request, act]: Parameters<StepPanelDeps["onInput"]>): Promise<void> {
    said = await actOnInput(api, request, act);
    await run.showAll();
  }

  function select(next: Selection | undefined): void {
    selection = next;
    writeSelection(next);
    showAgain();
    if (next && matchMedia("(width < 60rem)").matches) byId("panel").scrollIntoView({ block: "start" });
  }

  function show(shown: ShownRun): void {
    const { state } = shown.run;
    if (announced !== state) {
      byId("announcement").textContent = `Run ${stateWords[state].toLowerCase()}`;
      said = "";
    }
    announced = state;
    showRun(shown, { ...deps, said, selection, onChange: (what) => void change(what) });
  }

  const onHash = (): void => {
    const named = readSelection();
    if (named) select(named);
  };
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key === "Escape" && selection && !document.querySelector("dialog[open]")) select(undefined);
  };
  addEventListener("hashchange", onHash, { signal });
  document.addEventListener("keydown", onKey, { signal });
}

function showRun(shown: ShownRun, deps: RunViewDeps): void {
  const { graph, run } = shown;
  const now = deps.now();
  const onSelect = (stepId: string): void => deps.select({ stepId });
  const { selection } = deps;
  const selected = selection?.stepId;
  document.title = `${visibleLine(run.name)} · ${run.state.replace("_", " ")} · Crosszone`;
  showContent(
    h(
      "div",
      { class: "run" },
      runHeader(shown, deps),
      h(
        "section",
        { class: "surface steps", "aria-labelledby": "steps" },
        h("h2", { id: "steps" }, "Steps"),
        h("div", { class: "picture", "data-testid": "picture" }, h(GraphDrawing, { graph, selected, onSelect })),
      ),
      stepPanel(shown, selection, deps),
      timeline(shown, { selected, now, onSelect }),
    ),
  );
}

/** Reads the selection from the address (`#step=each[3].slips`), so that it can be shared. */
function readSelection(): Selection | undefined {
  const path = new URLSearchParams(location.hash.slice(1)).get("step");
  return path === null || path === "" ? undefined : selectionOf(path);
}

/** Writes the selection into the address, without an entry in the browser's history. */
function writeSelection(selection: Selection | undefined): void {
  const hash = selection ? `#${new URLSearchParams({ step: selection.path ?? selection.stepId }).toString()}` : "";
  history.replaceState(null, "", location.pathname + location.search + hash);
}

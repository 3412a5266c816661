import type { InputRequest, StepAttempts, WorkflowStepRecord } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { useState } from "preact/hooks";
import { inputList, type InputListDeps } from "../approvals/input-card.ts";
import { agentLink, factList, idChip, muted, stateChip, stateMark } from "../frame.ts";
import { countsInstances, spanText, stateWords, stepRule, shownStepState, timeText, typeName } from "../words.ts";
import { inputsOf, instancesOf, type Selection, type ShownRun } from "./shown-run.ts";
import { JsonView, problemSection, valueSection, type WayToStep } from "../values.ts";

interface AttemptListDeps {
  readonly attempts: (path: string) => Promise<StepAttempts>;
  /** The server's time, Unix milliseconds. */
  readonly now: () => number;
}

/** Lists all attempts of an instance, with the error of each. They are fetched when the list is opened, as it is at first. */
function AttemptList({
  instance: { attempt, path },
  attempts: read,
  now,
}: AttemptListDeps & { readonly instance: WorkflowStepRecord }): ComponentChild {
  const [shown, setShown] = useState<readonly ComponentChild[]>([h("p", null, "Reading…")]);
  const opened = ({ currentTarget }: Event): void => {
    if (!(currentTarget as HTMLDetailsElement).open) return;
    read(path).then(
      ({ attempts }) => setShown(attempts.map((each) => attemptView(each, now()))),
      (error: unknown) => setShown([h("p", { role: "alert" }, (error as Error).message)]),
    );
  };
  return h(
    "details",
    { class: "part", open: true, onToggle: opened },
    h("summary", null, `${String(attempt)} attempts`),
    h("div", null, shown),
  );
}

function attemptView({ attempt, error, output, state, ...span }: WorkflowStepRecord, now: number): ComponentChild {
  const took = spanText(span, now);
  return h(
    "article",
    { class: "attempt", key: attempt },
    h(
      "h4",
      null,
      `Attempt ${String(attempt)}`,
      stateChip(state),
      took !== undefined && h("span", { class: "muted" }, took),
    ),
    error && problemSection(error, span.ended_at),
    output !== undefined && h(JsonView, { value: output }),
  );
}

interface InstanceListProps {
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
function InstanceList(props: InstanceListProps): ComponentChild {
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

export interface StepPanelDeps extends AttemptListDeps, WayToStep {
  readonly session: InputListDeps["session"];
  readonly onInput: InputListDeps["onInput"];
  readonly select: (selection: Selection | undefined) => void;
}

/** Shows everything about the selection: input, output, error and times. Without a selection, those of the run. */
export function stepPanel(shown: ShownRun, selection: Selection | undefined, deps: StepPanelDeps): ComponentChild {
  const node = selection && shown.graph.nodes.find(({ id }) => id === selection.stepId);
  return h(
    "aside",
    { class: "panel", id: "panel", "aria-label": "Details", tabIndex: -1 },
    selection && node ? stepParts(shown, selection, deps) : runParts(shown, deps),
  );
}

function runParts(shown: ShownRun, deps: StepPanelDeps): ComponentChildren {
  const { input, output } = shown.run;
  return [
    h(
      "div",
      { class: "panel-head", key: "run" },
      h("h2", null, "The whole run"),
      muted("Select a step to see its input and output."),
    ),
    inputList("What people said", inputsOf(shown, false), { ...deps, now: deps.now() }),
    ...valueParts({ input, output }, "run"),
  ];
}

function stepParts(shown: ShownRun, { path, stepId }: Selection, deps: StepPanelDeps): ComponentChildren {
  const node = shown.graph.nodes.find(({ id }) => id === stepId);
  if (!node) return undefined;
  const { agent_name, state, title, type } = node;
  const instances = instancesOf(shown, stepId);
  const instance = selectedInstance(instances, path);
  const shownState = instance?.state ?? state;
  const step = shown.run.definition.steps[stepId];
  const rule = step && stepRule(step);
  const asked = shown.inputs.filter((request) => isOfStep(request, stepId, instance));
  const isListed = instances.length > 1 || countsInstances(node);
  const close = { type: "button", class: "quiet close", "aria-label": "Close the step" };
  return [
    h(
      "div",
      { class: "panel-head", key: stepId },
      h("button", { ...close, onClick: () => deps.select(undefined) }, "Close"),
      muted(agent_name === undefined ? typeName(type) : ["Agent ", agentLink(agent_name)]),
      h("h2", null, visibleLine(title)),
      h("p", null, stateChip(shownStepState(shownState, type)), h("span", { class: "path" }, instance?.path ?? stepId)),
      instance?.child_run_id !== undefined &&
        h("p", null, h("a", { href: `/console/runs/${encodeURIComponent(instance.child_run_id)}` }, "Its run")),
    ),
    inputList(asked.some((each) => each.state === "open") ? "Waits for" : "What people said", asked, {
      ...deps,
      now: deps.now(),
    }),
    rule !== undefined && h("p", { class: "rule", key: "rule" }, rule),
    isListed &&
      h(InstanceList, {
        key: `instances of ${stepId}`,
        instances,
        selected: instance?.path,
        now: deps.now(),
        onSelect: (chosen) => deps.select({ stepId, path: chosen }),
      }),
    instance ? instanceParts(instance, deps) : !isListed && noneYet(state),
  ];
}

/** Returns the selected instance, or the only one, or the first that failed. */
function selectedInstance(
  instances: readonly WorkflowStepRecord[],
  path: string | undefined,
): WorkflowStepRecord | undefined {
  const chosen = instances.find((each) => each.path === path);
  return chosen ?? (instances.length === 1 ? instances[0] : instances.find(({ state }) => state === "failed"));
}

/** Whether a step asked this. An instance that has ended names its request. */
function isOfStep({ request_id, step_id }: InputRequest, stepId: string, instance?: WorkflowStepRecord): boolean {
  const { request_id: named } = (instance?.output ?? {}) as { readonly request_id?: unknown };
  return step_id === stepId && (named === undefined || named === request_id);
}

/** The details of one instance of a step: times, error, output, input and attempts. */
function instanceParts(instance: WorkflowStepRecord, deps: StepPanelDeps): ComponentChildren {
  const { attempt, ended_at: at, error, input, output, path, state } = instance;
  return [
    timesOf(instance, deps.now()),
    // The list of attempts has the error of each.
    attempt === 1 && error && problemSection(error, at, error.path === path ? undefined : deps),
    ...valueParts({ input, output }, path),
    attempt > 1 && h(AttemptList, { ...deps, key: `attempts of ${path} ${String(attempt)} ${state}`, instance }),
  ];
}

/** The output and the input; `of` says whose. */
function valueParts(
  { input, output }: { readonly input: unknown; readonly output: unknown },
  of: string,
): ComponentChild[] {
  const part = (title: string, value: unknown): ComponentChild =>
    value !== undefined && valueSection(title, value, `${title} of ${of}`);
  return [part("Output", output), part("Input", input)];
}

function timesOf({ attempt, ended_at, started_at, task_id }: WorkflowStepRecord, now: number): ComponentChild {
  const ended = ended_at === undefined ? "Running for" : "Took";
  return factList(
    [
      ["Started", started_at === undefined ? "–" : timeText(started_at), started_at],
      [ended, spanText({ started_at, ended_at }, now) ?? "–"],
      ["Attempt", String(attempt)],
      ["Task", task_id && idChip(task_id)],
    ],
    "facts",
  );
}

const noneYet = (state: string): ComponentChild =>
  muted(state === "skipped" ? "The run took another branch." : "This step has not started.");

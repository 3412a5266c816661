import type { InputRequest, WorkflowStepRecord } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { h, type ComponentChild, type ComponentChildren } from "preact";
import { stateChip } from "../state-mark.ts";
import { spanText, timeText, countsInstances, stepRule, stepStateWords, typeName } from "../text/step-words.ts";
import { AttemptList, type AttemptListDeps } from "./attempt-list.ts";
import { inputList, type InputListDeps } from "./input-list.ts";
import { InstanceList } from "./instance-list.ts";
import type { Selection } from "./selection.ts";
import { inputsOf, instancesOf, type ShownRun } from "./shown-run.ts";
import { problemSection, ValueSection, type WayToStep } from "./values.ts";

export interface StepPanelDeps extends AttemptListDeps, WayToStep, Pick<InputListDeps, "onWithdraw"> {
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
      h("p", { class: "muted" }, "Select a step to see its input and output."),
    ),
    inputList("Decisions", inputsOf(shown, false), { ...deps, now: deps.now() }),
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
      h("p", { class: "muted" }, agent_name === undefined ? typeName(type) : `Agent ${agent_name}`),
      h("h2", null, visibleLine(title)),
      h(
        "p",
        null,
        stateChip(shownState, stepStateWords({ state: shownState, type })),
        h("span", { class: "path" }, instance?.path ?? stepId),
      ),
    ),
    inputList(asked.some((each) => each.state === "open") ? "Waits for" : "Decision", asked, {
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
    error && problemSection(error, { at, way: error.path === path ? undefined : deps }),
    ...valueParts({ input, output }, path),
    attempt > 1 && h(AttemptList, { ...deps, key: `attempts of ${path} ${String(attempt)} ${state}`, instance }),
  ];
}

/** The output and the input; `of` says whose. */
function valueParts(
  { input, output }: { readonly input: unknown; readonly output: unknown },
  of: string,
): ComponentChild[] {
  const part = (title: string, value: unknown): ComponentChild[] =>
    value === undefined ? [] : [h(ValueSection, { key: `${title} of ${of}`, title, value })];
  return [...part("Output", output), ...part("Input", input)];
}

function timesOf({ attempt, ended_at, started_at, task_id }: WorkflowStepRecord, now: number): ComponentChild {
  return h(
    "dl",
    { class: "facts" },
    h("dt", null, "Started"),
    h("dd", { title: started_at }, started_at === undefined ? "–" : timeText(started_at)),
    h("dt", null, ended_at === undefined ? "Running for" : "Took"),
    h("dd", null, spanText({ started_at, ended_at }, now) ?? "–"),
    h("dt", null, "Attempt"),
    h("dd", null, String(attempt)),
    ...(task_id === undefined ? [] : [h("dt", null, "Task"), h("dd", { class: "path" }, task_id)]),
  );
}

const noneYet = (state: string): ComponentChild =>
  h("p", { class: "muted" }, state === "skipped" ? "The run took another branch." : "This step has not started.");

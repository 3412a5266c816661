import type { WorkflowStepRecord } from "@crosszone/contracts";
import { h } from "../element.ts";
import { doerText, typeWords } from "../graph/node-text.ts";
import { showChildren } from "../keyed-children.ts";
import { stateChip } from "../state-mark.ts";
import { spanText, timeText } from "../text/duration-text.ts";
import { attemptList, type AttemptListDeps } from "./attempt-list.ts";
import { createInstanceList } from "./instance-list.ts";
import { valueSection } from "./json-view.ts";
import { problemSection } from "./problem-section.ts";
import type { Selection } from "./selection.ts";
import { instancesOf, type ShownRun } from "./shown-run.ts";
import { stepRule } from "./step-rule.ts";

export interface StepPanel {
  readonly element: HTMLElement;
  readonly show: (shown: ShownRun, selection: Selection | undefined, now: number) => void;
}

export interface StepPanelDeps extends AttemptListDeps {
  readonly select: (selection: Selection | undefined) => void;
  readonly goTo: (path: string) => void;
}

/** A part of the panel; it is drawn again when `version` changes. */
interface Part {
  readonly key: string;
  readonly version: unknown;
  readonly draw: () => Element;
}

/** All that is known of what is selected: what went in, what came out, what went wrong, and when. */
export function createStepPanel({ goTo, select, ...attempts }: StepPanelDeps): StepPanel {
  const element = h("aside", { class: "panel", id: "panel", "aria-label": "Details", tabindex: -1 });
  let instanceList = createInstanceList(() => undefined);
  let listedStep: string | undefined;

  function runParts({ run }: ShownRun): Part[] {
    const { input, output } = run;
    return [
      {
        key: "head",
        version: "",
        draw: () =>
          h(
            "div",
            { class: "panel-head" },
            h("h2", {}, "The whole run"),
            h("p", { class: "muted" }, "Select a step to see what it was given and what it said."),
          ),
      },
      ...valueParts({ output, input }),
    ];
  }

  function stepParts(shown: ShownRun, { path, stepId }: Selection): Part[] {
    const node = shown.graph.nodes.find(({ id }) => id === stepId);
    if (!node) return runParts(shown);
    const instances = instancesOf(shown, stepId);
    const instance = selectedInstance(instances, path);
    const state = instance?.state ?? node.state;
    const step = shown.run.definition.steps[stepId];
    const rule = step && stepRule(step);
    const isListed = instances.length > 1 || (node.total !== undefined && node.type !== "loop");
    return [
      {
        key: "head",
        version: [node.title, state, instance?.path],
        draw: () =>
          h(
            "div",
            { class: "panel-head" },
            h(
              "button",
              {
                type: "button",
                class: "quiet close",
                "aria-label": "Close the step",
                onclick: () => select(undefined),
              },
              "Close",
            ),
            h("p", { class: "muted" }, node.type === "agent" ? `Agent ${doerText(node)}` : typeWords[node.type]),
            h("h2", {}, node.title),
            h("p", {}, stateChip(state), h("span", { class: "path" }, instance?.path ?? stepId)),
          ),
      },
      ...(rule === undefined ? [] : [{ key: "rule", version: rule, draw: () => h("p", { class: "rule" }, rule) }]),
      ...(isListed ? [{ key: "instances", version: stepId, draw: () => instanceList.element }] : []),
      ...(instance ? instanceParts(instance) : isListed ? [] : [noneYet(node.state)]),
    ];
  }

  function instanceParts(instance: WorkflowStepRecord): Part[] {
    const { attempt, error, input, output, path } = instance;
    return [
      { key: "times", version: [path, instance.started_at, instance.ended_at, attempt], draw: () => timesOf(instance) },
      ...(error
        ? [
            {
              key: "error",
              version: [path, error],
              draw: () => problemSection(error, error.path === path ? undefined : goTo),
            },
          ]
        : []),
      ...valueParts({ output, input }, path),
      ...(attempt > 1
        ? [{ key: "attempts", version: [path, attempt, instance.state], draw: () => attemptList(instance, attempts) }]
        : []),
    ];
  }

  function show(shown: ShownRun, selection: Selection | undefined, now: number): void {
    if (selection !== undefined && selection.stepId !== listedStep) {
      const { stepId } = selection;
      instanceList = createInstanceList((path) => select({ stepId, path }));
      listedStep = stepId;
    }
    showChildren(element, selection ? stepParts(shown, selection) : runParts(shown), {
      keyOf: ({ key }) => key,
      versionOf: ({ version }) => JSON.stringify([selection?.stepId, version]),
      draw: ({ draw }) => draw(),
    });
    if (selection) {
      const instances = instancesOf(shown, selection.stepId);
      instanceList.show(instances, selectedInstance(instances, selection.path)?.path, now);
    }
    const running = element.querySelector("[data-running-since]");
    const since = running?.getAttribute("data-running-since");
    if (running && since) running.textContent = spanText({ started_at: since }, now) ?? "";
  }

  return { element, show };
}

/** The one that was chosen, else the one that there is, else the first that went wrong. */
function selectedInstance(
  instances: readonly WorkflowStepRecord[],
  path: string | undefined,
): WorkflowStepRecord | undefined {
  const chosen = instances.find((each) => each.path === path);
  return chosen ?? (instances.length === 1 ? instances[0] : instances.find(({ state }) => state === "failed"));
}

function valueParts({ input, output }: { readonly input: unknown; readonly output: unknown }, of = "run"): Part[] {
  return [
    ...(output === undefined
      ? []
      : [{ key: "output", version: [of, output], draw: () => valueSection("Output", output) }]),
    ...(input === undefined ? [] : [{ key: "input", version: [of, input], draw: () => valueSection("Input", input) }]),
  ];
}

const noneYet = (state: string): Part => ({
  key: "none",
  version: state,
  draw: () => h("p", { class: "muted" }, state === "skipped" ? "The run went another way." : "It has not begun."),
});

function timesOf({ attempt, ended_at, started_at, task_id }: WorkflowStepRecord): HTMLElement {
  const time = (at: string | undefined): string => (at === undefined ? "–" : timeText(at));
  const span = { ...(started_at && { started_at }), ...(ended_at && { ended_at }) };
  const took =
    ended_at === undefined ? h("dd", { "data-running-since": started_at }) : h("dd", {}, spanText(span, 0) ?? "–");
  return h(
    "dl",
    { class: "facts" },
    h("dt", {}, "Started"),
    h("dd", { title: started_at }, time(started_at)),
    h("dt", {}, ended_at === undefined ? "Running for" : "Took"),
    took,
    h("dt", {}, "Attempt"),
    h("dd", {}, String(attempt)),
    ...(task_id === undefined ? [] : [h("dt", {}, "Task"), h("dd", { class: "path" }, task_id)]),
  );
}

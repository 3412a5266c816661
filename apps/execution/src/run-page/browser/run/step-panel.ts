import type { WorkflowStepRecord } from "@crosszone/contracts";
import { h } from "../element.ts";
import { showChildren } from "../keyed-children.ts";
import { stateChip } from "../state-mark.ts";
import { spanText } from "../text/duration-text.ts";
import { countsInstances, stepRule, typeName } from "../text/step-words.ts";
import { createInstanceList } from "./instance-list.ts";
import { instanceParts, valueParts, type InstanceLinks, type PanelPart } from "./panel-parts.ts";
import type { Selection } from "./selection.ts";
import { instancesOf, type ShownRun } from "./shown-run.ts";

export interface StepPanel {
  readonly element: HTMLElement;
  readonly show: (shown: ShownRun, selection: Selection | undefined, now: number) => void;
}

export interface StepPanelDeps extends InstanceLinks {
  readonly select: (selection: Selection | undefined) => void;
}

/** Shows everything about the selection: input, output, error and times. */
export function createStepPanel({ select, ...links }: StepPanelDeps): StepPanel {
  const element = h("aside", { class: "panel", id: "panel", "aria-label": "Details", tabindex: -1 });
  let instanceList = createInstanceList(() => undefined);
  let listedStep: string | undefined;

  function runParts({ run }: ShownRun): PanelPart[] {
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
            h("p", { class: "muted" }, "Select a step to see its input and output."),
          ),
      },
      ...valueParts({ output, input }),
    ];
  }

  function stepParts(shown: ShownRun, { path, stepId }: Selection): PanelPart[] {
    const node = shown.graph.nodes.find(({ id }) => id === stepId);
    if (!node) return runParts(shown);
    const instances = instancesOf(shown, stepId);
    const instance = selectedInstance(instances, path);
    const state = instance?.state ?? node.state;
    const step = shown.run.definition.steps[stepId];
    const rule = step && stepRule(step);
    const isListed = instances.length > 1 || countsInstances(node);
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
            h(
              "p",
              { class: "muted" },
              node.agent_name === undefined ? typeName(node.type) : `Agent ${node.agent_name}`,
            ),
            h("h2", {}, node.title),
            h("p", {}, stateChip(state), h("span", { class: "path" }, instance?.path ?? stepId)),
          ),
      },
      ...(rule === undefined ? [] : [{ key: "rule", version: rule, draw: () => h("p", { class: "rule" }, rule) }]),
      ...(isListed ? [{ key: "instances", version: stepId, draw: () => instanceList.element }] : []),
      ...(instance ? instanceParts(instance, links) : isListed ? [] : [noneYet(node.state)]),
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

/** The selected instance, or the only one, or the first that failed. */
function selectedInstance(
  instances: readonly WorkflowStepRecord[],
  path: string | undefined,
): WorkflowStepRecord | undefined {
  const chosen = instances.find((each) => each.path === path);
  return chosen ?? (instances.length === 1 ? instances[0] : instances.find(({ state }) => state === "failed"));
}

const noneYet = (state: string): PanelPart => ({
  key: "none",
  version: state,
  draw: () =>
    h("p", { class: "muted" }, state === "skipped" ? "The run took another branch." : "This step has not started."),
});

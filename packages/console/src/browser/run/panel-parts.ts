import type { WorkflowStepRecord } from "@crosszone/contracts";
import { h } from "../element.ts";
import { spanText, timeText } from "../text/duration-text.ts";
import { attemptList, type AttemptListDeps } from "./attempt-list.ts";
import { valueSection } from "./json-view.ts";
import { problemSection, type WayToStep } from "./problem-section.ts";

/** A part of the panel. It is drawn again when `version` changes. */
export interface PanelPart {
  readonly key: string;
  readonly version: unknown;
  readonly draw: () => Element;
}

/** What an instance links to: its attempts, and the step that its error names. */
export interface InstanceLinks extends AttemptListDeps, WayToStep {}

/** The details of one instance of a step: times, error, output, input and attempts. */
export function instanceParts(instance: WorkflowStepRecord, links: InstanceLinks): PanelPart[] {
  const { attempt, error, input, output, path } = instance;
  return [
    { key: "times", version: [path, instance.started_at, instance.ended_at, attempt], draw: () => timesOf(instance) },
    ...(error
      ? [
          {
            key: "error",
            version: [path, error],
            draw: () => problemSection(error, error.path === path ? undefined : links),
          },
        ]
      : []),
    ...valueParts({ output, input }, path),
    ...(attempt > 1
      ? [{ key: "attempts", version: [path, attempt, instance.state], draw: () => attemptList(instance, links) }]
      : []),
  ];
}

/** The output and the input; `of` says whose. */
export function valueParts(
  { input, output }: { readonly input: unknown; readonly output: unknown },
  of = "run",
): PanelPart[] {
  return [
    ...(output === undefined
      ? []
      : [{ key: "output", version: [of, output], draw: () => valueSection("Output", output) }]),
    ...(input === undefined ? [] : [{ key: "input", version: [of, input], draw: () => valueSection("Input", input) }]),
  ];
}

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

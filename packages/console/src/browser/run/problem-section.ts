import type { RunProblem } from "@crosszone/contracts";
import { h } from "../element.ts";
import { jsonView } from "./json-view.ts";

const words = (kind: string): string => kind.replaceAll("_", " ");

/** Links a problem to the step that it names. Users know the step by its title. */
export interface WayToStep {
  readonly goTo: (path: string) => void;
  readonly titleOf: (path: string) => string;
}

/** Shows why a run or a step failed. */
export function problemSection({ agent_error, kind, message, path }: RunProblem, way?: WayToStep): HTMLElement {
  const link =
    path !== undefined &&
    way &&
    h("button", { type: "button", class: "link", onclick: () => way.goTo(path) }, `Go to ${way.titleOf(path)}`);
  const agent =
    agent_error &&
    h(
      "dl",
      { class: "facts" },
      h("dt", {}, "Agent’s error"),
      h("dd", {}, words(agent_error.kind)),
      h("dt", {}, "Retryable"),
      h("dd", {}, agent_error.retryable ? "Yes" : "No"),
      ...(agent_error.code === undefined ? [] : [h("dt", {}, "Code"), h("dd", {}, String(agent_error.code))]),
    );
  return h(
    "section",
    { class: "part problem" },
    h("h3", {}, "Error", h("span", { class: "tag" }, words(kind))),
    h("p", { class: "problem-text" }, message),
    agent,
    agent_error?.data !== undefined && jsonView(agent_error.data),
    link,
  );
}

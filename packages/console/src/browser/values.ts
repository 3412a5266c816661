import type { RunProblem } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import { useState } from "preact/hooks";
import { agentLink, CopyButton, factList } from "./frame.ts";
import { timeText } from "./words.ts";

/** Longer values are shown on request only; they would block the page. Characters. */
const mostAtOnce = 20_000;

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** Shows any JSON as text, never as markup, with characters that people can't see as escapes. A string is shown without quotes. */
export function JsonView({ value }: { readonly value: unknown }): ComponentChild {
  const [isWhole, setWhole] = useState(false);
  const text = showUnseen(textOf(value));
  const isCut = !isWhole && text.length > mostAtOnce;
  return h(
    "div",
    null,
    h("pre", { tabIndex: 0 }, isCut ? text.slice(0, mostAtOnce) : text),
    isCut &&
      h(
        "button",
        { type: "button", class: "quiet", onClick: () => setWhole(true) },
        `Show all ${text.length.toLocaleString("en")} characters`,
      ),
  );
}

/** A section of the panel with a value to read and copy. */
export const valueSection = (title: string, value: unknown, key: string): ComponentChild =>
  h(
    "section",
    { class: "part", key },
    h(
      "div",
      { class: "part-head" },
      h("h3", null, title),
      h(CopyButton, { of: title.toLowerCase(), text: textOf(value) }),
    ),
    h(JsonView, { value }),
  );

/** Links a problem to the step that it names. Users know the step by its title. */
export interface WayToStep {
  readonly goTo: (path: string) => void;
  readonly titleOf: (path: string) => string;
  /** Its agent. */
  readonly agent?: string | undefined;
}

const kindWords = (kind: string): string => kind.replaceAll("_", " ");

/** Replaces a wait, which would soon be wrong, with a time of day. */
const withTime = (message: string, at: string): string =>
  message.replace(
    /\bin (\d+) s\.$/,
    (_, seconds) => `at ${timeText(new Date(Date.parse(at) + Number(seconds) * 1_000).toISOString())}.`,
  );

/** Shows why a run or a step failed. `at`: when it happened, RFC 3339. */
export function problemSection(
  { agent_error, kind, message, path }: RunProblem,
  at: string | undefined,
  way?: WayToStep,
): ComponentChild {
  return h(
    "section",
    { class: "part problem" },
    h("h3", null, "Error", h("span", { class: "tag" }, kindWords(kind))),
    h("p", { class: "problem-text" }, showUnseen(at === undefined ? message : withTime(message, at))),
    agent_error &&
      factList(
        [
          ["Agent’s error", kindWords(agent_error.kind)],
          ["Code", agent_error.code?.toString()],
        ],
        "facts",
      ),
    agent_error?.data !== undefined && h(JsonView, { value: agent_error.data }),
    path !== undefined &&
      way &&
      h("button", { type: "button", class: "link", onClick: () => way.goTo(path) }, `Go to ${way.titleOf(path)}`),
    way?.agent !== undefined && [" of the agent ", agentLink(way.agent)],
  );
}

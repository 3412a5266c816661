import type { RunGraphNode } from "@crosszone/contracts";
import { s, setAttributes } from "../element.ts";
import { stateMark } from "../state-mark.ts";
import { fittingText } from "../text/fitting-text.ts";
import type { Box } from "./layout-graph.ts";
import { doerText, spokenText, standingText } from "./node-text.ts";

/** The card of a step in the graph. */
export interface GraphCard {
  readonly element: SVGGElement;
  readonly show: (node: RunGraphNode, isSelected: boolean) => void;
}

/** Approximate width of a letter, pixels. */
const letterWidth = 7.9;
const smallLetterWidth = 7.2;
const edge = 14;

export function createGraphCard({ height, width, x, y }: Box, { id }: RunGraphNode): GraphCard {
  const [left, top] = [x - width / 2, y - height / 2];
  const mark = s("g", { transform: `translate(${String(edge)} ${String(height / 2 - 19)})` });
  const title = s("text", { class: "card-title", x: edge + 24, y: height / 2 - 6 });
  const doer = s("text", { class: "card-doer", x: edge + 24, y: height / 2 + 15 });
  const standing = s("text", { class: "card-standing", x: width - edge, y: height / 2 + 15, "text-anchor": "end" });
  const whole = s("title");
  const barWidth = width - 2 * edge;
  const bar = s("rect", { class: "card-bar", x: edge, y: height - 7, width: 0, height: 3, rx: 1.5 });
  const track = s("rect", { class: "card-track", x: edge, y: height - 7, width: barWidth, height: 3, rx: 1.5 });
  const element = s(
    "g",
    { class: "card", role: "button", "data-step": id, transform: `translate(${String(left)} ${String(top)})` },
    whole,
    s("rect", { class: "card-focus", x: -5, y: -5, width: width + 10, height: height + 10, rx: 15 }),
    s("rect", { class: "card-face", width, height, rx: 11 }),
    mark,
    title,
    doer,
    standing,
    track,
    bar,
  );
  let shown = "";

  /** Capitals and wide letters exceed the average width: shortens a title that is too wide once drawn. */
  function showTitle(name: string): void {
    const room = barWidth - 24;
    let letters = Math.floor(room / letterWidth);
    do title.textContent = fittingText(name, letters--);
    while (letters > 0 && title.getComputedTextLength() > room);
  }

  function show(node: RunGraphNode, isSelected: boolean): void {
    setAttributes(element, { "aria-pressed": String(isSelected) });
    const version = JSON.stringify(node);
    if (version === shown) return;
    shown = version;
    const { done = 0, state, title: name, total = 0 } = node;
    setAttributes(element, { "data-state": state, "aria-label": spokenText(node) });
    mark.replaceChildren(stateMark(state, 18));
    const standingWidth = standingText(node).length * smallLetterWidth + 6;
    showTitle(name);
    const room = Math.floor((barWidth - 24 - standingWidth) / smallLetterWidth);
    const who = doerText(node);
    // A few letters of a name are useless.
    doer.textContent = room < Math.min(who.length, 7) ? "" : fittingText(who, room);
    standing.textContent = standingText(node);
    whole.textContent = spokenText(node);
    setAttributes(track, { visibility: total === 0 && "hidden" });
    setAttributes(bar, { width: total === 0 ? 0 : (barWidth * done) / total });
  }

  return { element, show };
}

import type { RunGraphNode } from "@crosszone/contracts";
import { h, type ComponentChild } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { stateMark } from "../state-mark.ts";
import { doerText, fittingText, spokenText, standingText } from "../text/step-words.ts";
import type { Box } from "./layout-graph.ts";

/** Approximate width of a letter, pixels. */
const letterWidth = 7.9;
const smallLetterWidth = 7.2;
const edge = 14;

export interface GraphCardProps {
  readonly box: Box;
  readonly node: RunGraphNode;
  readonly isSelected: boolean;
  /** Whether the tab key reaches it. */
  readonly isTabStop: boolean;
}

/** The card of a step in the graph. */
export function graphCard({ box, isSelected, isTabStop, node }: GraphCardProps): ComponentChild {
  const { height, width } = box;
  const { done = 0, id, state, title, total = 0 } = node;
  const barWidth = width - 2 * edge;
  const standing = standingText(node);
  const doer = doerText(node);
  const room = Math.floor((barWidth - 24 - standing.length * smallLetterWidth - 6) / smallLetterWidth);
  const bar = { x: edge, y: height - 7, height: 3, rx: 1.5 };
  return h(
    "g",
    {
      class: "card",
      key: id,
      role: "button",
      "data-step": id,
      "data-state": state,
      "aria-pressed": String(isSelected),
      tabindex: isTabStop ? 0 : -1,
      transform: `translate(${String(box.x - width / 2)} ${String(box.y - height / 2)})`,
    },
    // Its name, which also shows a shortened title in full.
    h("title", null, spokenText(node)),
    h("rect", { class: "card-focus", x: -5, y: -5, width: width + 10, height: height + 10, rx: 15 }),
    h("rect", { class: "card-face", width, height, rx: 11 }),
    h("g", { transform: `translate(${String(edge)} ${String(height / 2 - 19)})` }, stateMark(state, 18)),
    h(CardTitle, { title, y: height / 2 - 6, room: barWidth - 24 }),
    // A few letters of a name are useless.
    h(
      "text",
      { class: "card-doer", x: edge + 24, y: height / 2 + 15 },
      room < Math.min(doer.length, 7) ? "" : fittingText(doer, room),
    ),
    h("text", { class: "card-standing", x: width - edge, y: height / 2 + 15, "text-anchor": "end" }, standing),
    total > 0 && h("rect", { ...bar, class: "card-track", width: barWidth }),
    total > 0 && h("rect", { ...bar, class: "card-bar", width: (barWidth * done) / total }),
  );
}

interface CardTitleProps {
  readonly title: string;
  readonly y: number;
  /** Pixels. */
  readonly room: number;
}

/** Capitals and wide letters exceed the average width: a title that is too wide once drawn is shortened. */
function CardTitle({ room, title, y }: CardTitleProps): ComponentChild {
  const text = useRef<SVGTextElement>(null);
  useLayoutEffect(() => {
    const drawn = text.current;
    if (!drawn) return;
    let letters = Math.floor(room / letterWidth);
    do drawn.textContent = fittingText(title, letters--);
    while (letters > 0 && drawn.getComputedTextLength() > room);
  }, [title, room]);
  return h("text", { class: "card-title", x: edge + 24, y, ref: text });
}

import type { RunGraph, RunGraphEdge, RunGraphNode } from "@crosszone/contracts";
import { type ComponentChild, h } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { stateMark } from "../frame.ts";
import { doerText, fittingText, shownStepState, spokenText, standingText } from "../words.ts";
import { type Box, edgePath, layoutGraph, type LayoutSizes, nearestCard, type PlacedEdge } from "./layout-graph.ts";

/** Approximate width of a letter, pixels. */
const letterWidth = 7.9;
const smallLetterWidth = 7.2;
const cardEdge = 14;

interface GraphCardProps {
  readonly box: Box;
  readonly node: RunGraphNode;
  readonly isSelected: boolean;
  /** Whether the tab key reaches it. */
  readonly isTabStop: boolean;
}

function graphCard({ box, isSelected, isTabStop, node }: GraphCardProps): ComponentChild {
  const { height, width } = box;
  const { done = 0, id, title, total = 0, type } = node;
  const state = shownStepState(node.state, type);
  const barWidth = width - 2 * cardEdge;
  const standing = standingText(node);
  const doer = doerText(node);
  const room = Math.floor((barWidth - 24 - standing.length * smallLetterWidth - 6) / smallLetterWidth);
  const bar = { x: cardEdge, y: height - 7, height: 3, rx: 1.5 };
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
    h("g", { transform: `translate(${String(cardEdge)} ${String(height / 2 - 19)})` }, stateMark(state, 18)),
    h(CardTitle, { title, y: height / 2 - 6, room: barWidth - 24 }),
    // A few letters of a name are useless.
    h(
      "text",
      { class: "card-doer", x: cardEdge + 24, y: height / 2 + 15 },
      room < Math.min(doer.length, 7) ? "" : fittingText(doer, room),
    ),
    h("text", { class: "card-standing", x: width - cardEdge, y: height / 2 + 15, "text-anchor": "end" }, standing),
    total > 0 && h("rect", { ...bar, class: "card-track", width: barWidth }),
    total > 0 && h("rect", { ...bar, class: "card-bar", width: (barWidth * done) / total }),
  );
}

/** Capitals and wide letters exceed the average width: a title that is too wide once drawn is shortened. `room`: pixels. */
function CardTitle(props: { readonly title: string; readonly y: number; readonly room: number }): ComponentChild {
  const { room, title, y } = props;
  const text = useRef<SVGTextElement>(null);
  useLayoutEffect(() => {
    const drawn = text.current;
    if (!drawn) return;
    let letters = Math.floor(room / letterWidth);
    do drawn.textContent = fittingText(title, letters--);
    while (letters > 0 && drawn.getComputedTextLength() > room);
  }, [title, room]);
  return h("text", { class: "card-title", x: cardEdge + 24, y, ref: text });
}

const roomy: LayoutSizes = { card: { width: 224, height: 66 }, gap: 28, rise: 46, padding: 20 };
const narrow: LayoutSizes = { card: { width: 158, height: 62 }, gap: 12, rise: 38, padding: 11 };
/** Below this scale texts are unreadable: the graph scrolls instead. */
const leastScale = 0.66;

interface GraphDrawingProps {
  readonly graph: RunGraph;
  readonly selected: string | undefined;
  readonly onSelect: (stepId: string) => void;
}

const keyOf = ({ from, to, kind }: RunGraphEdge): string => `${kind} ${from} ${to}`;

/** The graph of a run. It is laid out once; later changes update colors, icons and texts, and nothing moves. */
export function GraphDrawing({ graph, onSelect, selected }: GraphDrawingProps): ComponentChild {
  const version = JSON.stringify([
    graph.nodes.map(({ id, parent }) => [id, parent]),
    graph.edges.map(({ from, to }) => [from, to]),
  ]);
  const layout = useMemo(() => layoutGraph(graph, matchMedia("(width < 40rem)").matches ? narrow : roomy), [version]);
  const [focused, setFocused] = useState<string>();
  const stateOf = new Map(graph.nodes.map(({ id, state }) => [id, state]));
  const takenOf = new Map(graph.edges.map((edge) => [keyOf(edge), edge.is_taken]));
  // The graph is one tab stop; arrow keys move between cards.
  const tabStop = [focused, selected].find((id) => id !== undefined && layout.cards.has(id)) ?? graph.nodes[0]?.id;

  function keyed(event: KeyboardEvent): void {
    const step = stepOf(event);
    if (step === undefined) return;
    const next = nearestCard(layout.cards, step, event.key);
    if (event.key === "Enter" || event.key === " ") onSelect(step);
    else if (next === undefined) return;
    else focusCard(event, next);
    event.preventDefault();
  }

  function clicked(event: MouseEvent): void {
    const step = stepOf(event);
    if (step === undefined) return;
    focusCard(event, step);
    onSelect(step);
  }

  const [width, height] = [String(layout.width), String(layout.height)];
  return h(
    "svg",
    {
      class: "graph",
      role: "group",
      "aria-label": "Steps of the run",
      viewBox: `0 0 ${width} ${height}`,
      style: { maxWidth: `${width}px`, minWidth: `${String(layout.width * leastScale)}px` },
      onClick: clicked,
      onKeyDown: keyed,
      onFocusIn: (event: Event) => setFocused(stepOf(event)),
      onFocusOut: () => setFocused(undefined),
    },
    h("defs", null, arrowHead()),
    [...layout.frames].map(([id, box]) => frameOf(id, box, stateOf.get(id))),
    layout.edges.map((placed) => edgeOf(placed, takenOf.get(keyOf(placed.edge)) ?? false)),
    graph.nodes.flatMap((node) => {
      const box = layout.cards.get(node.id);
      const isSelected = node.id === selected;
      return box ? [graphCard({ box, node, isSelected, isTabStop: node.id === tabStop })] : [];
    }),
  );
}

const stepOf = ({ target }: Event): string | undefined =>
  target instanceof Element ? (target.closest(".card")?.getAttribute("data-step") ?? undefined) : undefined;

function focusCard({ currentTarget }: Event, step: string): void {
  const cards = [...(currentTarget as SVGSVGElement).querySelectorAll<SVGGElement>(".card")];
  cards.find((card) => card.getAttribute("data-step") === step)?.focus();
}

const frameOf = (id: string, { height, width, x, y }: Box, state: string | undefined): ComponentChild =>
  h("rect", {
    class: "frame",
    key: `frame ${id}`,
    "data-state": state,
    x: x - width / 2,
    y: y - height / 2,
    width,
    height,
    rx: 16,
  });

function edgeOf({ edge, label, points }: PlacedEdge, isTaken: boolean): ComponentChild {
  return h(
    "g",
    { class: "edge", key: keyOf(edge), "data-taken": String(isTaken) },
    h("path", { class: "edge-line", d: edgePath(points), "marker-end": "url(#arrow)" }),
    label && h("text", { class: "edge-label", x: label.x, y: label.y + 4, "text-anchor": "middle" }, edge.label),
  );
}

/** Uses `context-stroke`, so that the arrowhead has the color of its line. */
function arrowHead(): ComponentChild {
  const look = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" };
  return h(
    "marker",
    { ...look, id: "arrow", markerUnits: "userSpaceOnUse" },
    h("path", { d: "M1 1L7 4L1 7", class: "arrow-head" }),
  );
}

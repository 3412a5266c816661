import type { RunGraph, RunGraphEdge } from "@crosszone/contracts";
import { s } from "../element.ts";
import { edgePath } from "./edge-path.ts";
import { createGraphCard, type GraphCard } from "./graph-card.ts";
import { layoutGraph, type Box, type GraphLayout, type LayoutSizes, type PlacedEdge } from "./layout-graph.ts";
import { nearestCard } from "./nearest-card.ts";

/** The graph of a run. It is laid out once; later changes update colors, icons and texts, and nothing moves. */
export interface GraphDrawing {
  readonly element: SVGSVGElement;
  readonly show: (graph: RunGraph, selected: string | undefined) => void;
}

const roomy: LayoutSizes = { card: { width: 224, height: 66 }, gap: 28, rise: 46, padding: 20 };
const narrow: LayoutSizes = { card: { width: 158, height: 62 }, gap: 12, rise: 38, padding: 11 };
/** Below this scale texts are unreadable: the graph scrolls instead. */
const leastScale = 0.66;

const keyOf = ({ from, to, kind }: RunGraphEdge): string => `${kind} ${from} ${to}`;

export function createGraphDrawing(graph: RunGraph, onSelect: (stepId: string) => void): GraphDrawing {
  const layout = layoutGraph(graph, matchMedia("(width < 40rem)").matches ? narrow : roomy);
  const frames = new Map([...layout.frames].map(([id, box]) => [id, frameOf(box)]));
  const edges = new Map(layout.edges.map((placed) => [keyOf(placed.edge), edgeOf(placed)]));
  const cards = new Map<string, GraphCard>();
  for (const node of graph.nodes) {
    const box = layout.cards.get(node.id);
    if (box) cards.set(node.id, createGraphCard(box, node));
  }
  const element = s(
    "svg",
    {
      class: "graph",
      role: "group",
      "aria-label": "Steps of the run",
      viewBox: `0 0 ${String(layout.width)} ${String(layout.height)}`,
    },
    s("defs", {}, arrowHead()),
    ...frames.values(),
    ...edges.values(),
    ...[...cards.values()].map((card) => card.element),
  );
  element.style.maxWidth = `${String(layout.width)}px`;
  element.style.minWidth = `${String(layout.width * leastScale)}px`;
  listen(element, layout, onSelect);

  function show(shown: RunGraph, selected: string | undefined): void {
    const hasFocus = element.contains(document.activeElement);
    const reachable = selected !== undefined && cards.has(selected) ? selected : shown.nodes[0]?.id;
    for (const node of shown.nodes) {
      const card = cards.get(node.id);
      card?.show(node, node.id === selected);
      // The graph is one tab stop; arrow keys move between cards.
      if (card && !hasFocus) card.element.tabIndex = node.id === reachable ? 0 : -1;
      frames.get(node.id)?.setAttribute("data-state", node.state);
    }
    for (const edge of shown.edges) edges.get(keyOf(edge))?.setAttribute("data-taken", String(edge.is_taken));
  }

  return { element, show };
}

function listen(element: SVGSVGElement, { cards }: GraphLayout, onSelect: (stepId: string) => void): void {
  const stepOf = ({ target }: Event): string | undefined =>
    target instanceof Element ? (target.closest(".card")?.getAttribute("data-step") ?? undefined) : undefined;
  element.addEventListener("click", (event) => {
    const step = stepOf(event);
    if (step === undefined) return;
    focusCard(element, step);
    onSelect(step);
  });
  element.addEventListener("keydown", (event) => {
    const step = stepOf(event);
    if (step === undefined) return;
    const next = nearestCard(cards, step, event.key);
    if (event.key === "Enter" || event.key === " ") onSelect(step);
    else if (next === undefined) return;
    else focusCard(element, next);
    event.preventDefault();
  });
}

function focusCard(element: SVGSVGElement, step: string): void {
  for (const card of element.querySelectorAll<SVGGElement>(".card")) {
    const isNext = card.getAttribute("data-step") === step;
    card.tabIndex = isNext ? 0 : -1;
    if (isNext) card.focus();
  }
}

const frameOf = ({ height, width, x, y }: Box): SVGRectElement =>
  s("rect", { class: "frame", x: x - width / 2, y: y - height / 2, width, height, rx: 16 });

function edgeOf({ edge, label, points }: PlacedEdge): SVGGElement {
  return s(
    "g",
    { class: "edge", "data-taken": String(edge.is_taken) },
    s("path", { class: "edge-line", d: edgePath(points), "marker-end": "url(#arrow)" }),
    label && s("text", { class: "edge-label", x: label.x, y: label.y + 4, "text-anchor": "middle" }, edge.label),
  );
}

/** Uses `context-stroke`, so that the arrowhead has the color of its line. */
function arrowHead(): SVGMarkerElement {
  return s(
    "marker",
    {
      id: "arrow",
      viewBox: "0 0 8 8",
      refX: 7,
      refY: 4,
      markerWidth: 8,
      markerHeight: 8,
      markerUnits: "userSpaceOnUse",
      orient: "auto",
    },
    s("path", { d: "M1 1L7 4L1 7", class: "arrow-head" }),
  );
}

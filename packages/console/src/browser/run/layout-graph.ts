import type { RunGraph, RunGraphEdge } from "@crosszone/contracts";
import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from "@dagrejs/dagre";

export interface Box {
  /** The horizontal center. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly edge: RunGraphEdge;
  readonly points: readonly Point[];
  /** The position of its label. */
  readonly label?: Point;
}

/** Positions of everything in a graph, in pixels from its upper left corner. */
interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** The card of each step, by id. */
  readonly cards: ReadonlyMap<string, Box>;
  /** The frame around a step's inner steps, by the step's id; outer frames first. */
  readonly frames: ReadonlyMap<string, Box>;
  readonly edges: readonly PlacedEdge[];
}

export interface LayoutSizes {
  readonly card: { readonly width: number; readonly height: number };
  /** Horizontal distance between cards. */
  readonly gap: number;
  /** Vertical distance between rows. */
  readonly rise: number;
  /** Distance between a frame and its content. */
  readonly padding: number;
}

const labelHeight = 18;

/**
 * Lays out the steps of a run from top to bottom. A step's inner steps are laid out separately, in a frame below its
 * card; the outer layout treats the frame as one large card. State changes move nothing.
 */
export function layoutGraph({ nodes, edges }: RunGraph, sizes: LayoutSizes): GraphLayout {
  const childrenOf = Map.groupBy(nodes, ({ parent }) => parent);

  function layoutLevel(owner: string | undefined): GraphLayout {
    const inner = new Map<string, GraphLayout>();
    const level = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
    const { gap: nodesep, padding, rise: ranksep } = sizes;
    const margin = owner === undefined ? 2 : padding;
    level.setGraph({ rankdir: "TB", nodesep, ranksep, marginx: margin, marginy: margin });
    if (owner !== undefined) level.setNode(owner, { ...sizes.card });
    for (const { id } of childrenOf.get(owner) ?? []) {
      if (childrenOf.has(id)) inner.set(id, layoutLevel(id));
      const { height, width } = inner.get(id) ?? sizes.card;
      level.setNode(id, { width, height });
    }
    const here = edges.filter(({ from, kind, to }) => {
      return level.hasNode(from) && level.hasNode(to) && (kind === "inside") === (from === owner);
    });
    for (const { from, label, to } of here) {
      const width = (label?.length ?? 0) * 7 + 16;
      const room = label === undefined ? {} : { width, height: labelHeight, labelpos: "c" as const };
      level.setEdge(from, to, room);
    }
    layout(level);
    return drawn(level, { owner, inner, here });
  }

  return layoutLevel(undefined);
}

/** Lays out a level with everything inside it, in its own coordinates. */
function drawn(
  level: Graph<GraphLabel, NodeLabel, EdgeLabel>,
  {
    here,
    inner,
    owner,
  }: {
    readonly owner: string | undefined;
    readonly inner: ReadonlyMap<string, GraphLayout>;
    readonly here: readonly RunGraphEdge[];
  },
): GraphLayout {
  const cards = new Map<string, Box>();
  const frames = new Map<string, Box>();
  const edges = here.map((edge): PlacedEdge => {
    const { points = [], x, y } = level.edge(edge.from, edge.to);
    return { edge, points, label: edge.label === undefined ? undefined : { x: x ?? 0, y: y ?? 0 } };
  });
  for (const id of level.nodes()) {
    const { height, width, x = 0, y = 0 } = level.node(id);
    const box = { x, y, width, height };
    const inside = id === owner ? undefined : inner.get(id);
    if (!inside) {
      cards.set(id, box);
      continue;
    }
    frames.set(id, box);
    const by = { x: box.x - box.width / 2, y: box.y - box.height / 2 };
    for (const [name, card] of inside.cards) cards.set(name, moved(card, by));
    for (const [name, frame] of inside.frames) frames.set(name, moved(frame, by));
    edges.push(...inside.edges.map((edge) => movedEdge(edge, by)));
  }
  const { height = 0, width = 0 } = level.graph();
  return { width, height, cards, frames, edges };
}

function moved<P extends Point>(point: P, by: Point): P {
  return { ...point, x: point.x + by.x, y: point.y + by.y };
}

function movedEdge({ edge, label, points }: PlacedEdge, by: Point): PlacedEdge {
  return { edge, points: points.map((point) => moved(point, by)), label: label && moved(label, by) };
}

/** Returns a smooth line through points for the `d` of a path. It leaves and arrives vertically. */
export function edgePath(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (!first) return "";
  let at = first;
  const curves = others.map((point) => {
    const half = round((at.y + point.y) / 2);
    const curve = `C${round(at.x)} ${half} ${round(point.x)} ${half} ${round(point.x)} ${round(point.y)}`;
    at = point;
    return curve;
  });
  return [`M${round(first.x)} ${round(first.y)}`, ...curves].join("");
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

const directions = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
} as const;

/** Returns the card that an arrow key moves to: the nearest in that direction. Sideways distance counts extra. */
export function nearestCard(cards: ReadonlyMap<string, Box>, from: string, key: string): string | undefined {
  const start = cards.get(from);
  const direction = directions[key as keyof typeof directions] as { x: number; y: number } | undefined;
  if (!start || !direction) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const [id, { x, y }] of cards) {
    const [dx, dy] = [x - start.x, y - start.y];
    const along = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    const distance = along + aside * 2;
    if (along > 1 && distance < least) [nearest, least] = [id, distance];
  }
  return nearest;
}

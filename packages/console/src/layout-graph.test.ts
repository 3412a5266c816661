import type { RunGraph } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { edgePath, layoutGraph, nearestCard, type Box } from "./browser/run/layout-graph.ts";

const sizes = { card: { width: 200, height: 60 }, gap: 20, rise: 40, padding: 16 };

type Node = RunGraph["nodes"][number];
const node = (id: string, more: Partial<Node> = {}): Node => ({
  id,
  title: id,
  type: "agent",
  state: "pending",
  ...more,
});

/** A loop in a branch of a condition, between two steps. */
const graph: RunGraph = {
  run_id: "7b0f7d0e-6a5e-4f57-9b7e-1f7d5a0f0a01",
  revision: 1,
  state: "running",
  nodes: [
    node("first"),
    node("is_long", { type: "conditional" }),
    node("each", { type: "loop", parent: "is_long" }),
    node("slips", { parent: "each" }),
    node("seal", { parent: "each" }),
    node("short", { parent: "is_long" }),
    node("last"),
  ],
  edges: [
    { from: "first", to: "is_long", kind: "next", is_taken: true },
    { from: "is_long", to: "each", kind: "inside", label: "true", is_taken: true },
    { from: "each", to: "slips", kind: "inside", is_taken: true },
    { from: "slips", to: "seal", kind: "next", is_taken: true },
    { from: "is_long", to: "short", kind: "inside", label: "false", is_taken: false },
    { from: "is_long", to: "last", kind: "next", is_taken: false },
  ],
};

const boxIn =
  (boxes: ReadonlyMap<string, Box>) =>
  (id: string): Box => {
    const box = boxes.get(id);
    if (!box) throw new Error(`nothing is drawn for ${id}`);
    return box;
  };

const sides = ({ height, width, x, y }: Box) => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

function holds(outer: Box, inner: Box): boolean {
  const [a, b] = [sides(outer), sides(inner)];
  return a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
}

function overlap(one: Box, other: Box): boolean {
  const [a, b] = [sides(one), sides(other)];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

test("every step has a card within the diagram, and no cards overlap", () => {
  const { cards, height, width } = layoutGraph(graph, sizes);
  expect([...cards.keys()].toSorted()).toEqual(graph.nodes.map(({ id }) => id).toSorted());
  const boxes = [...cards.values()];
  for (const box of boxes) expect(holds({ x: width / 2, y: height / 2, width, height }, box)).toBe(true);
  for (const [index, box] of boxes.entries())
    for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
});

test("a step's children are in its frame, below its own card, and other steps are outside", () => {
  const { cards, frames } = layoutGraph(graph, sizes);
  const box = boxIn(cards);
  const frame = boxIn(frames);
  expect([...frames.keys()]).toEqual(["is_long", "each"]);
  expect(holds(frame("is_long"), frame("each"))).toBe(true);
  for (const id of ["each", "slips", "seal"]) expect([id, holds(frame("each"), box(id))]).toEqual([id, true]);
  expect(holds(frame("is_long"), box("is_long"))).toBe(true);
  for (const id of ["first", "last"]) expect([id, overlap(frame("is_long"), box(id))]).toEqual([id, false]);
  expect(overlap(frame("each"), box("short"))).toBe(false);
  const order = ["first", "is_long", "each", "slips", "seal", "last"].map((id) => box(id).y);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test("every line is drawn from its source to its target, with its label", () => {
  const { cards, edges, frames } = layoutGraph(graph, sizes);
  expect(edges).toHaveLength(graph.edges.length);
  for (const { edge, points } of edges) {
    const to = boxIn(new Map([...cards, ...frames]))(edge.to);
    expect([edge.to, points.at(-1)?.y]).toEqual([edge.to, to.y - to.height / 2]);
  }
  expect(new Set(edges.filter(({ label }) => label).map(({ edge }) => edge.label))).toEqual(new Set(["false", "true"]));
  expect(
    edgePath([
      { x: 0, y: 0 },
      { x: 10, y: 20 },
    ]),
  ).toBe("M0 0C0 10 10 10 10 20");
});

test("run states do not move anything", () => {
  const done = graph.nodes.map((each) => ({ ...each, state: "succeeded" as const, done: 3, total: 3 }));
  const before = layoutGraph(graph, sizes);
  const after = layoutGraph({ ...graph, nodes: done }, sizes);
  expect(after.cards).toEqual(before.cards);
});

test("an arrow key moves to the nearest card in its direction, if there is one", () => {
  const { cards } = layoutGraph(graph, sizes);
  expect(nearestCard(cards, "first", "ArrowDown")).toBe("is_long");
  expect(nearestCard(cards, "slips", "ArrowUp")).toBe("each");
  const sideways = ["ArrowLeft", "ArrowRight"].map((key) => nearestCard(cards, "short", key));
  expect(sideways.filter((id) => id !== undefined)).toHaveLength(1);
  expect(nearestCard(cards, "first", "ArrowUp")).toBeUndefined();
  expect(nearestCard(cards, "first", "Tab")).toBeUndefined();
});

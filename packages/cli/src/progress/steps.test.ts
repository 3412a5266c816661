import { stripVTControlCharacters } from "node:util";
import type { RunGraph, WorkflowRunEvent, WorkflowStepRecord } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../output/fit.ts";
import { frame } from "./frame.ts";
import { createRunSteps } from "./run-steps.ts";
import type { StepLine } from "./step-line.ts";

const at = (second: number): string => new Date(second * 1_000).toISOString();

const node = (id: string, more: Partial<RunGraph["nodes"][number]> = {}): RunGraph["nodes"][number] => ({
  id,
  title: id.toUpperCase(),
  type: "agent",
  state: "pending",
  ...more,
});

const graphOf = (revision: number, nodes: RunGraph["nodes"]): RunGraph => ({
  run_id: "r",
  revision,
  state: "running",
  nodes,
  edges: [],
});

const changed = (revision: number, step: Partial<WorkflowStepRecord> & { path: string }): WorkflowRunEvent => ({
  type: "step",
  run_id: "r",
  revision,
  at: at(revision),
  step: { step_id: step.path.replace(/.*\./, ""), type: "agent", state: "running", attempt: 1, ...step },
});

describe("the steps of a run", () => {
  test("stand in the order of the graph, indented by what they are inside of", () => {
    const steps = createRunSteps();
    steps.show(
      graphOf(1, [
        node("each", { type: "loop", done: 1, total: 3 }),
        node("ask", { parent: "each", agent_name: "Asker", done: 1, total: 3 }),
        node("fork", { parent: "ask", type: "fork_join" }),
        node("end"),
      ]),
    );
    expect(steps.lines(0).map(({ id, depth }) => [id, depth])).toEqual([
      ["each", 0],
      ["ask", 1],
      ["fork", 2],
      ["end", 0],
    ]);
    expect(steps.lines(0)[1]).toEqual({
      id: "ask",
      title: "ASK",
      agent: "Asker",
      state: "pending",
      depth: 1,
      done: 1,
      total: 3,
    });
  });

  test("are as the change says that is later than the graph; a late answer does not turn them back", () => {
    const steps = createRunSteps();
    steps.show(graphOf(3, [node("a", { state: "running" }), node("b")]));
    steps.take(changed(2, { path: "a", state: "pending" }));
    expect(steps.lines(0)[0]?.state).toBe("running");
    steps.take(changed(4, { path: "a", state: "succeeded", started_at: at(1), ended_at: at(4) }));
    steps.show(graphOf(2, [node("a"), node("b")]));
    expect(steps.lines(0)[0]).toMatchObject({ state: "succeeded", elapsedMs: 3_000 });
    steps.show(graphOf(5, [node("a", { state: "succeeded" }), node("b", { state: "running" })]));
    steps.show(graphOf(4, [node("a", { state: "succeeded" }), node("b")]));
    expect(steps.lines(0)[1]?.state).toBe("running");
  });

  test("of a loop take from the first instance to the last, and go on as long as one of them does", () => {
    const steps = createRunSteps();
    steps.show(graphOf(9, [node("ask", { state: "running" }), node("late")]));
    steps.take(changed(5, { path: "each[0].ask", state: "succeeded", started_at: at(10), ended_at: at(12) }));
    steps.take(changed(6, { path: "each[1].ask", started_at: at(11) }));
    expect(steps.lines(30_000)[0]?.elapsedMs).toBe(20_000);
    expect(steps.lines(30_000)[1]).not.toHaveProperty("elapsedMs");
    steps.take(changed(10, { path: "each[1].ask", state: "failed", started_at: at(11), ended_at: at(15) }));
    steps.show(graphOf(10, [node("ask", { state: "failed" })]));
    expect(steps.lines(30_000)[0]?.elapsedMs).toBe(5_000);
  });

  test("of a loop that is over are not counted by a graph that is older", () => {
    const steps = createRunSteps();
    const loop = { type: "loop", done: 0, total: 2 } as const;
    steps.show(graphOf(3, [node("each", { ...loop, state: "running" })]));
    expect(steps.lines(0)[0]).toMatchObject({ done: 0, total: 2 });
    steps.take(changed(5, { path: "each", type: "loop", state: "succeeded" }));
    expect(steps.lines(0)[0]).toMatchObject({ state: "succeeded" });
    expect(steps.lines(0)[0]).not.toHaveProperty("done");
    steps.show(graphOf(5, [node("each", { ...loop, done: 2, state: "succeeded" })]));
    expect(steps.lines(0)[0]).toMatchObject({ state: "succeeded", done: 2 });
  });

  test("take no less than no time when the zone's clock is ahead, and a graph in a circle ends", () => {
    const steps = createRunSteps();
    steps.show(graphOf(1, [node("a", { state: "running", parent: "b" }), node("b", { parent: "a" })]));
    steps.take(changed(1, { path: "a", started_at: at(100) }));
    expect(steps.lines(0)[0]).toMatchObject({ elapsedMs: 0, depth: 2 });
  });
});

test("a step is looked at once for all lines, however many steps there are", () => {
  const steps = createRunSteps();
  let looks = 0;
  const counted = (id: string): WorkflowRunEvent => {
    const event = changed(1, { path: id, started_at: at(1) });
    const step = { ...(event as { step: WorkflowStepRecord }).step };
    const { step_id } = step;
    return { ...event, step: Object.defineProperty(step, "step_id", { get: () => ((looks += 1), step_id) }) } as never;
  };
  const ids = Array.from({ length: 500 }, (_, index) => `s${index}`);
  steps.show(
    graphOf(
      1,
      ids.map((id) => node(id)),
    ),
  );
  for (const id of ids) steps.take(counted(id));
  expect(steps.lines(0)).toHaveLength(500);
  expect(looks).toBeLessThanOrEqual(1_000);
});

describe("a frame", () => {
  const line = (id: string, more: Partial<StepLine> = {}): StepLine => ({
    id,
    title: id,
    state: "pending",
    depth: 0,
    ...more,
  });
  const draw = (steps: readonly StepLine[], columns = 60, rows = 20): string[] =>
    stripVTControlCharacters(frame(steps, { columns, rows, turn: 1 })).split("\n");

  test("has a sign for each state, the agent, how much of a loop is done, and the time", () => {
    const steps = [
      line("one", { state: "succeeded", agent: "Writer", elapsedMs: 1_200 }),
      line("each", { state: "running", done: 2, total: 5 }),
      line("in it", { state: "failed", depth: 1 }),
      line("stopped", { state: "canceled" }),
      line("not taken", { state: "skipped" }),
      line("later"),
    ];
    expect(draw(steps)).toEqual([
      "✓ one  Writer · 1.2s",
      "◓ each  2/5",
      "  ✗ in it",
      "✗ stopped",
      "– not taken",
      "○ later",
    ]);
  });

  test("is as wide and as high as the terminal at most, with what runs in it", () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      line(`段階 ${index} ${"x".repeat(index)}`, {
        state: index < 60 ? "succeeded" : index === 60 ? "running" : "pending",
        depth: index % 7,
        agent: "SomeAgent",
      }),
    );
    const sizes = [
      [40, 10],
      [17, 3],
      [80, 24],
      [200, 200],
    ];
    for (const [columns = 0, rows = 0] of sizes) {
      const lines = draw(many, columns, rows);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(columns);
      expect(lines.join("\n")).toContain("◓");
    }
    const lines = draw(many, 40, 10);
    expect([lines[0], lines.at(-1)]).toEqual(["  … 58 more above", "  … 34 more below"]);
  });

  test("of others' titles does nothing to the terminal", () => {
    expect(draw([line("x", { title: "a\u001b[31m\nb\u202e", agent: "c\u009bd" })])).toEqual([
      "○ a\\u001b[31m b\\u202e  c\\u009bd",
    ]);
  });
});

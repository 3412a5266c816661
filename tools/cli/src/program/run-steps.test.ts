import { stripVTControlCharacters } from "node:util";
import type { RunGraph, WorkflowRunEvent, WorkflowStepRecord } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../text/terminal-text.ts";
import { frame } from "./follow-run.ts";
import { createRunSteps, type StepLine } from "./run-steps.ts";

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
  test("have the order of the graph and are indented by their parents", () => {
    const steps = createRunSteps();
    steps.setGraph(
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

  test("have the state of the latest change; an older graph does not revert it", () => {
    const steps = createRunSteps();
    steps.setGraph(graphOf(3, [node("a", { state: "running" }), node("b")]));
    steps.addEvent(changed(2, { path: "a", state: "pending" }));
    expect(steps.lines(0)[0]?.state).toBe("running");
    steps.addEvent(changed(4, { path: "a", state: "succeeded", started_at: at(1), ended_at: at(4) }));
    steps.setGraph(graphOf(2, [node("a"), node("b")]));
    expect(steps.lines(0)[0]).toMatchObject({ state: "succeeded", elapsedMs: 3_000 });
    steps.setGraph(graphOf(5, [node("a", { state: "succeeded" }), node("b", { state: "running" })]));
    steps.setGraph(graphOf(4, [node("a", { state: "succeeded" }), node("b")]));
    expect(steps.lines(0)[1]?.state).toBe("running");
  });

  test("that ask people say so while they wait", () => {
    const steps = createRunSteps();
    steps.setGraph(graphOf(3, [node("ok", { type: "human", state: "running" })]));
    expect(steps.lines(0)[0]?.agent).toBe("waits for people");
    steps.addEvent(changed(4, { path: "ok", type: "human", state: "succeeded", started_at: at(1), ended_at: at(4) }));
    expect(steps.lines(0)[0]?.agent).toBeUndefined();
  });

  test("of a loop last from the start of the first iteration to the end of the last one", () => {
    const steps = createRunSteps();
    steps.setGraph(graphOf(9, [node("ask", { state: "running" }), node("late")]));
    steps.addEvent(changed(5, { path: "each[0].ask", state: "succeeded", started_at: at(10), ended_at: at(12) }));
    steps.addEvent(changed(6, { path: "each[1].ask", started_at: at(11) }));
    expect(steps.lines(30_000)[0]?.elapsedMs).toBe(20_000);
    expect(steps.lines(30_000)[1]?.elapsedMs).toBeUndefined();
    steps.addEvent(changed(10, { path: "each[1].ask", state: "failed", started_at: at(11), ended_at: at(15) }));
    steps.setGraph(graphOf(10, [node("ask", { state: "failed" })]));
    expect(steps.lines(30_000)[0]?.elapsedMs).toBe(5_000);
  });
});

test("each step is read once for all lines, for any number of steps", () => {
  const steps = createRunSteps();
  let looks = 0;
  const counted = (id: string): WorkflowRunEvent => {
    const event = changed(1, { path: id, started_at: at(1) });
    const step = { ...(event as { step: WorkflowStepRecord }).step };
    const { step_id } = step;
    return { ...event, step: Object.defineProperty(step, "step_id", { get: () => ((looks += 1), step_id) }) } as never;
  };
  const ids = Array.from({ length: 500 }, (_, index) => `s${index}`);
  steps.setGraph(
    graphOf(
      1,
      ids.map((id) => node(id)),
    ),
  );
  for (const id of ids) steps.addEvent(counted(id));
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
    stripVTControlCharacters(frame(steps, { columns, rows, frameCount: 1 })).split("\n");

  test("shows a sign for each state, the agent, the progress of a loop, and the time", () => {
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

  test("fits the terminal and includes the running step", () => {
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

  test("escapes untrusted titles", () => {
    expect(draw([line("x", { title: "a\u001b[31m\nb\u202e", agent: "c\u009bd" })])).toEqual([
      "○ a\\u001b[31m b\\u202e  c\\u009bd",
    ]);
  });
});

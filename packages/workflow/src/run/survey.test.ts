import { expect, test } from "vitest";
import { playRun, startedRun, type PlayedRun } from "../testing/play-run.ts";
import { agentStep, forkStep, loopStep, workflowOf } from "../testing/workflow-of.ts";
import { graphOf, progressOf } from "./run-graph.ts";

const definition = workflowOf([
  agentStep("ask", { title: "Ask around", next_step: "check" }),
  {
    id: "check",
    type: "conditional",
    condition: { expression: "steps.ask.output" },
    if_true_step: "each",
    if_false_step: "no",
    next_step: "fork",
  },
  loopStep("each", { collection: "${workflow.input}", loop_body: ["write", "read"] }),
  agentStep("write"),
  agentStep("read"),
  agentStep("no"),
  forkStep({ branches: { fast: { steps: ["f"] }, slow: { steps: ["s", "t"] } } }),
  agentStep("f"),
  agentStep("s"),
  agentStep("t"),
]);

function lines(played: PlayedRun): readonly string[] {
  return progressOf(definition, played.run()).map(({ depth, done, state, title, total }) => {
    const count = total === undefined ? "" : ` ${String(done)}/${String(total)}`;
    return `${"  ".repeat(depth)}${title}: ${state}${count}`;
  });
}

test("a run's progress has one line for each step, from pending to its end", () => {
  const played = playRun({ definition, input: ["a", "b"] });
  expect(lines(played)).toEqual([
    "Ask around: pending",
    "check: pending",
    "  each: pending",
    "    write: pending",
    "    read: pending",
    "  no: pending",
    "fork: pending",
    "  f: pending",
    "  s: pending",
    "  t: pending",
  ]);
  played.start();
  played.succeed("ask", true);
  played.succeed("each[0].write");
  played.succeed("each[0].read");
  expect(lines(played).slice(0, 7)).toEqual([
    "Ask around: succeeded",
    "check: running",
    "  each: running 1/2",
    "    write: running 1/2",
    "    read: running 1/2",
    "  no: skipped",
    "fork: pending",
  ]);
  played.succeed("each[1].write");
  played.succeed("each[1].read");
  played.succeed("f");
  expect(lines(played).slice(1)).toEqual([
    "check: succeeded",
    "  each: succeeded 2/2",
    "    write: succeeded 2/2",
    "    read: succeeded 2/2",
    "  no: skipped",
    "fork: succeeded",
    "  f: succeeded",
    "  s: canceled",
    "  t: skipped",
  ]);
});

test("a run's diagram has a node for each step and an edge for each path", () => {
  const played = startedRun({ definition, input: ["a"] });
  played.succeed("ask", false);
  const { edges, nodes } = graphOf(definition, played.run());
  expect(nodes.map(({ id, parent, state }) => [id, parent, state])).toEqual([
    ["ask", undefined, "succeeded"],
    ["check", undefined, "running"],
    ["each", "check", "skipped"],
    ["write", "each", "skipped"],
    ["read", "each", "skipped"],
    ["no", "check", "running"],
    ["fork", undefined, "pending"],
    ["f", "fork", "pending"],
    ["s", "fork", "pending"],
    ["t", "fork", "pending"],
  ]);
  expect(nodes[0]).toEqual({
    id: "ask",
    title: "Ask around",
    type: "agent",
    agent_name: "ask-agent",
    state: "succeeded",
  });
  expect(edges).toEqual([
    { from: "ask", to: "check", kind: "next", is_taken: true },
    { from: "check", to: "each", kind: "inside", label: "true", is_taken: false },
    { from: "each", to: "write", kind: "inside", is_taken: false },
    { from: "write", to: "read", kind: "next", is_taken: false },
    { from: "check", to: "no", kind: "inside", label: "false", is_taken: true },
    { from: "check", to: "fork", kind: "next", is_taken: false },
    { from: "fork", to: "f", kind: "inside", label: "fast", is_taken: false },
    { from: "fork", to: "s", kind: "inside", label: "slow", is_taken: false },
    { from: "s", to: "t", kind: "next", is_taken: false },
  ]);
});

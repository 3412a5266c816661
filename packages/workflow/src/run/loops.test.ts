import type { LoopStep } from "@crosszone/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { createExpressions } from "../expressions/condition.ts";
import { generousLimits, startedRun, statesOf, type PlayedRun, reduceNow } from "../testing/play-run.ts";
import { agentStep, forkStep, loopStep, workflowOf } from "../testing/workflow-of.ts";
import { newRun } from "../steps/run-record.ts";

const body = [
  agentStep("ask", { input_mapping: { item: "${item}", at: "${index}", word: "${word}" } }),
  agentStep("check", { input_mapping: ["${item}", "${ask.output}"] }),
];

function start(config: Partial<LoopStep["loop_config"]>, input: unknown = ["a", "b", "c"]): PlayedRun {
  const loop = loopStep("each", {
    collection: "${workflow.input}",
    iterator_variable: "word",
    loop_body: ["ask", "check"],
    ...config,
  });
  return startedRun({ definition: workflowOf([loop, ...body]), input });
}

test("B19: the bodies of a parallel loop read their own item and steps, whatever order they finish in", () => {
  const played = start({ execution_mode: "parallel" });
  expect(played.tasks().map((task) => task.input)).toEqual([
    { item: "a", at: 0, word: "a" },
    { item: "b", at: 1, word: "b" },
    { item: "c", at: 2, word: "c" },
  ]);
  played.succeed("each[2].ask", "C");
  played.succeed("each[0].ask", "A");
  expect(played.taskOf("each[2].check").input).toEqual(["c", "C"]);
  expect(played.taskOf("each[0].check").input).toEqual(["a", "A"]);
  played.succeed("each[2].check", 3);
  played.succeed("each[0].check", 1);
  played.succeed("each[1].ask", "B");
  played.succeed("each[1].check", 2);
  expect(played.run()).toMatchObject({ state: "succeeded", output: [1, 2, 3] });
});

test("B19: with `continue`, a failed item does not fail the loop, and its output is null", () => {
  const played = start({ on_error: "continue", loop_body: ["ask"] });
  played.succeed("each[0].ask", 1);
  played.fail("each[1].ask");
  played.succeed("each[2].ask", 3);
  expect(played.run()).toMatchObject({ state: "succeeded", output: [1, null, 3] });
});

test("B19: with `collect`, the outputs include the failures", () => {
  const played = start({ on_error: "collect", execution_mode: "parallel" });
  played.succeed("each[0].ask");
  played.succeed("each[0].check", 1);
  played.fail("each[1].ask", "No.");
  played.succeed("each[2].ask");
  played.fail("each[2].check", "Never.");
  expect(played.run()).toMatchObject({
    state: "succeeded",
    output: [
      1,
      { error: { kind: "agent_failed", message: "No.", path: "each[1].ask" } },
      { error: { kind: "agent_failed", message: "Never.", path: "each[2].check" } },
    ],
  });
});

test("B19: with `stop`, the first failure ends the loop: active items are canceled and pending ones never start", () => {
  const played = start({ execution_mode: "parallel", max_parallelism: 2, loop_body: ["ask"] });
  const first = played.taskOf("each[0].ask");
  played.fail("each[1].ask", "No.");
  expect(played.canceled).toEqual([first.task_id]);
  expect(statesOf(played.run())).toEqual({ each: "failed", "each[0].ask": "canceled", "each[1].ask": "failed" });
  expect(played.run().error).toMatchObject({ kind: "agent_failed", message: "No.", path: "each[1].ask" });
});

test("a loop over no items completes immediately; over a non-array or too many items it fails", () => {
  expect(start({}, []).run()).toMatchObject({ state: "succeeded", output: [] });
  expect(start({}, { length: 1 }).run().error).toEqual({
    kind: "collection_invalid",
    message: 'The items of the loop "each" are not an array.',
    path: "each",
  });
  expect(start({ max_iterations: 2 }).run().error?.message).toBe(
    'The collection of the loop "each" has 3 items; at most 2 are allowed.',
  );
});

test("a nested loop has its own item, and reads the outer item by name", () => {
  const inner = loopStep("inner", { collection: "${item}", iterator_variable: "letter", loop_body: ["ask"] });
  const outer = loopStep("outer", { collection: "${workflow.input}", iterator_variable: "row", loop_body: ["inner"] });
  const ask = agentStep("ask", { input_mapping: ["${row}", "${letter}", "${item}", "${index}"] });
  const played = startedRun({ definition: workflowOf([outer, inner, ask]), input: [["a", "b"], [], ["c"]] });
  const inputs: unknown[] = [];
  for (const path of ["outer[0].inner[0].ask", "outer[0].inner[1].ask", "outer[2].inner[0].ask"]) {
    inputs.push(played.taskOf(path).input);
    played.succeed(path, path);
  }
  expect(inputs).toEqual([
    [["a", "b"], "a", "a", 0],
    [["a", "b"], "b", "b", 1],
    [["c"], "c", "c", 0],
  ]);
  expect(played.run().output).toEqual([
    ["outer[0].inner[0].ask", "outer[0].inner[1].ask"],
    [],
    ["outer[2].inner[0].ask"],
  ]);
});

test.each([
  ["with items, each of which would be looked at", 1000, ["inner"]],
  ["with the steps of items", 15, ["never", "again"]],
])("I8: nested loops that would exhaust the memory %s end the run, with the reason", (_, items, loop_body) => {
  const collection = "${workflow.input}";
  const some = Array.from({ length: items }, () => 0);
  const nothing = { collection: [], loop_body: ["ask"] };
  const parallel = { execution_mode: "parallel", max_parallelism: 1000 } as const;
  const outer = loopStep("outer", { collection, loop_body: ["middle"], ...parallel });
  const middle = loopStep("middle", { collection: some, loop_body, ...parallel });
  const inner = loopStep("inner", { collection, loop_body: ["ask"], ...parallel });
  const [never, again] = [loopStep("never", nothing), loopStep("again", nothing)];
  const definition = workflowOf([outer, middle, inner, never, again, agentStep("ask")]);
  const played = startedRun({ definition, input: Array.from({ length: 1000 }, () => 0) });
  expect(played.run()).toMatchObject({
    state: "failed",
    error: { message: expect.stringContaining("20000 steps") as unknown },
  });
});

test("B10, B19: a retry reruns what failed inside an unfinished item, whatever failures the loop tolerates", () => {
  const loop = loopStep("each", { collection: ["x"], loop_body: ["fork"], on_error: "collect" });
  const played = startedRun({
    definition: workflowOf([loop, forkStep({}), agentStep("a"), agentStep("b")]),
    limits: { deadline_ms: 500 },
  });
  played.fail("each[0].a");
  played.pass(500);
  expect(played.run().state).toBe("timed_out");
  played.retry();
  expect(played.tasks().map(({ task_id }) => task_id)).toEqual(["run-1.each[0].a.2", "run-1.each[0].b.2"]);
  played.fail("each[0].b");
  played.succeed("each[0].a", "A");
  expect(played.run()).toMatchObject({ state: "succeeded", output: [{ one: "A" }] });
});

test("a run ends if its mappings, each fast enough, together block the process too long", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const { resolve: resolveNow, ...others } = createExpressions();
  const resolve: typeof resolveNow = (mapping, scope) => {
    if (mapping === "${workflow.input}") return resolveNow(mapping, scope);
    asked += 1;
    vi.advanceTimersByTime(900);
    return null;
  };
  const loop = loopStep("each", { collection: "${workflow.input}", loop_body: ["check"], execution_mode: "parallel" });
  const check = agentStep("check", { input_mapping: "${item}" });
  const plan = (items: number) => ({
    definition: workflowOf([loop, check]),
    input: Array.from({ length: items }, () => 0),
    expressions: { ...others, resolve },
  });
  const started = (items: number) => {
    const run = newRun({ run_id: "run-1", at: 0, input: [], limits: generousLimits });
    return reduceNow(plan(items), run, { type: "run_started", at: 1 }).run;
  };
  expect(started(9)).toMatchObject({ state: "running" });
  asked = 0;
  expect(started(1000)).toMatchObject({
    state: "failed",
    error: { message: expect.stringContaining("8000 ms together") },
  });
  expect(asked).toBe(9);
});

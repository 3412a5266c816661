import type { AgentResult } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, inject, test } from "vitest";
import { validateWorkflow } from "../definition/read-workflow.ts";
import { createExpressions } from "../expressions/expressions.ts";
import { isEnded, type RunLimits } from "../state/run-record.ts";
import { allPlanned, definitionOf, planned, type Planned, planNodes } from "../testing/plan-tree.ts";
import { type PlayedRun, playRun, resultOf } from "../testing/play-run.ts";
import { checkPure, checkReduction, laneSucceeds, type Outcome } from "../testing/run-invariants.ts";
import type { DispatchCommand } from "./run-events.ts";

/** Each run of the quick suite tests different plans. */
const runs = { numRuns: inject("engines") === "both" ? 400 : 100 };
const plans = planNodes.map(planned);
const limits = fc.record({ max_running: fc.integer({ min: 1, max: 8 }) });
const hurried = fc.record({
  max_running: fc.integer({ min: 1, max: 8 }),
  deadline_ms: fc.integer({ min: 100, max: 3000 }),
});
const tight = fc.record({ max_running: fc.integer({ min: 1, max: 8 }), max_bytes: fc.integer({ min: 2, max: 400 }) });

/** Random events; `at` selects the affected task. */
const happening = fc.record({
  what: fc.constantFrom("succeed", "succeed", "succeed", "fail", "again", "late", "unknown", "time", "retry", "cancel"),
  at: fc.nat({ max: 50 }),
});

/** The order in which tasks are answered. Steps whose number is in `failing` fail, the same in every run. */
const picks = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 20 });
const failing = fc.array(fc.nat({ max: 7 }), { maxLength: 4 });

function outcomeOf(numbers: readonly number[]): Outcome {
  return (path) => {
    let number = 7;
    for (let at = 0; at < path.length; at += 1) number = (number * 31 + path.charCodeAt(at)) % 9973;
    return !numbers.includes(number % 8);
  };
}

function play(lane: readonly Planned[], options: Partial<RunLimits>): PlayedRun {
  const definition = definitionOf(lane);
  const plan = { definition, input: {}, expressions: createExpressions() };
  return playRun({
    definition,
    limits: options,
    onReduced: (before, event, reduction) => {
      checkReduction(plan, { before, event, reduction });
      checkPure(plan, before, event);
      checkBounds(lane, Object.values(reduction.run.tasks));
    },
  });
}

/** Asserts that no step exceeds its limit of concurrent lanes. */
function checkBounds(lane: readonly Planned[], paths: readonly string[]): void {
  for (const { id, lanes, node } of allPlanned(lane)) {
    if (node.type !== "parallel" && node.type !== "loop") continue;
    const most = node.type === "loop" && !node.isParallel ? 1 : (node.bound ?? Infinity);
    const underWay = new Map<string, Set<string>>();
    for (const path of paths) {
      const [around, which] = node.type === "loop" ? itemOf(id, path) : branchOf(lanes, path);
      if (around !== undefined && which !== undefined) {
        underWay.set(around, (underWay.get(around) ?? new Set()).add(which));
      }
    }
    for (const each of underWay.values()) expect(each.size).toBeLessThanOrEqual(most);
  }
}

function itemOf(loop: string, path: string): readonly [around?: string, item?: string] {
  const match = new RegExp(`^((?:.*\\.)?${loop})\\[(\\d+)\\]\\.`).exec(path);
  return match ? [match[1] ?? "", match[2] ?? ""] : [];
}

function branchOf(lanes: readonly (readonly Planned[])[], path: string): readonly [around?: string, branch?: string] {
  const parts = path.split(".");
  for (const [index, part] of parts.entries()) {
    const id = part.replace(/\[.*/, "");
    const branch = lanes.findIndex((lane) => allPlanned(lane).some((step) => step.id === id));
    if (branch >= 0) return [parts.slice(0, index).join("."), String(branch)];
  }
  return [];
}

/** Answers open tasks in the order of the picks until the run ends. */
function finish(played: PlayedRun, order: readonly number[], outcome: Outcome): void {
  for (let turn = 0; !isEnded(played.run()); turn += 1) {
    const tasks = played.tasks();
    const task = tasks[(order[turn % order.length] ?? 0) % tasks.length] as DispatchCommand;
    end(played, task, outcome(task.path));
  }
}

/** Ends a task: an agent's with an answer or a failure, a person's with a decision. */
function end(played: PlayedRun, { agent_name, path }: DispatchCommand, isGood: boolean): void {
  if (agent_name === undefined)
    played.succeed(path, { verdict: isGood ? "approve" : "deny", by: [], request_id: path });
  else if (isGood) played.succeed(path);
  else played.fail(path);
}

/** Applies one random event. An unexpected result must leave the same run object. */
function happen(played: PlayedRun, { at, what }: { readonly at: number; readonly what: string }): void {
  const task = played.tasks()[at % Math.max(1, played.tasks().length)];
  const earlier = played.dispatched[at % Math.max(1, played.dispatched.length)];
  const before = played.run();
  const ignore = (result: AgentResult): void => {
    played.send({ type: "result_received", at: played.now(), result });
    if (played.run() !== before) throw new Error(`${result.task_id} changed the run.`);
  };
  if ((what === "succeed" || what === "fail") && task) end(played, task, what === "succeed");
  if (what === "time") played.pass(at * 40);
  if (what === "cancel" && at < 5) played.cancel();
  if (what === "retry") played.retry();
  if (what === "unknown") ignore(resultOf({ task_id: `run-1.x${String(at)}.1` }, {}));
  if (!earlier || played.tasks().includes(earlier)) return;
  if (what === "late") ignore(resultOf(earlier, { message: "late" }));
  if (what === "again") ignore(resultOf(earlier, { output: "again" }));
}

test("B22: the definitions that these tests generate are valid", () => {
  fc.assert(
    fc.property(plans, (lane) => {
      expect(validateWorkflow(definitionOf(lane))).toEqual([]);
    }),
    runs,
  );
});

test("B6, B11, B12: for any events in any order, a run keeps its invariants and ends", () => {
  fc.assert(
    fc.property(
      plans,
      fc.oneof(limits, tight, hurried),
      fc.array(happening, { maxLength: 40 }),
      (...[lane, bounds, happenings]) => {
        const played = play(lane, bounds);
        played.start();
        for (const each of happenings) happen(played, each);
        for (let turn = 0; !isEnded(played.run()); turn += 1) {
          expect(turn).toBeLessThan(2000);
          const { due_at } = played.run();
          const [waiting] = played.tasks();
          if (due_at !== null) played.pass(due_at - played.now());
          else if (waiting) end(played, waiting, turn % 2 === 0);
        }
        expect(played.tasks()).toEqual([]);
        expect(new Set(played.dispatched.map((task) => task.task_id)).size).toBe(played.dispatched.length);
      },
    ),
    runs,
  );
});

test("B12: the same results in any order produce the same end of a run", () => {
  fc.assert(
    fc.property(plans, limits, fc.tuple(picks, picks), failing, (...[lane, bounds, orders, numbers]) => {
      const outcome = outcomeOf(numbers);
      for (const order of orders) {
        const played = play(lane, bounds);
        played.start();
        finish(played, order, outcome);
        expect(played.run().state).toBe(laneSucceeds(lane, "", outcome) ? "succeeded" : "failed");
      }
    }),
    runs,
  );
});

test("B10, B11: a retry repeats no completed step and reaches the same end as a run without failures", () => {
  fc.assert(
    fc.property(plans, limits, picks, failing, (...[lane, bounds, order, numbers]) => {
      const played = play(lane, bounds);
      played.start();
      finish(played, order, outcomeOf(numbers));
      const before = played.run();
      const count = played.dispatched.length;
      played.retry();
      finish(played, order, () => true);
      const repeated = played.dispatched
        .slice(count)
        .filter((task) => before.steps.get(task.path)?.state === "succeeded");
      expect(repeated).toEqual([]);
      expect(played.run().state).toBe(laneSucceeds(lane, "", () => true) ? "succeeded" : "failed");
    }),
    runs,
  );
});

// suite: both
import { isDeepStrictEqual } from "node:util";
import type { AgentResult } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, inject, test } from "vitest";
import { validateWorkflow } from "../definition/read-workflow.ts";
import { createExpressions } from "../expressions/condition.ts";
import {
  type RunLimits,
  changedSteps,
  hasEnded,
  itemPrefix,
  type RunPlan,
  type RunRecord,
} from "../steps/run-record.ts";
import { allPlanned, definitionOf, planned, type Planned, planNodes } from "../testing/plan-tree.ts";
import { type PlayedRun, playRun, resultOf, reduceNow } from "../testing/play-run.ts";
import { type DispatchCommand, pausesDeadline, type Reduction, type TimedEvent } from "./run-events.ts";

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

/** Answers open tasks in the order of the picks until the run ends. Time passes when there are none. */
function finish(played: PlayedRun, order: readonly number[], outcome: Outcome): void {
  for (let turn = 0; !hasEnded(played.run()); turn += 1) {
    const tasks = played.tasks();
    if (tasks.length === 0) {
      played.pass((played.run().due_at ?? 0) - played.now());
      continue;
    }
    const task = tasks[(order[turn % order.length] ?? 0) % tasks.length] as DispatchCommand;
    end(played, task, outcome(task.path));
  }
}

/** Ends a task: with an answer or a failure, or a person's with a decision. Events do not fail. */
function end(played: PlayedRun, { input, path }: DispatchCommand, isGood: boolean): void {
  if (typeof input === "object" && input !== null && ("title" in input || "key" in input))
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

test("B11, B12: for any events in any order, a run keeps its invariants and ends", () => {
  fc.assert(
    fc.property(
      plans,
      fc.oneof(limits, tight, hurried),
      fc.array(happening, { maxLength: 40 }),
      (...[lane, bounds, happenings]) => {
        const played = play(lane, bounds);
        played.start();
        for (const each of happenings) happen(played, each);
        for (let turn = 0; !hasEnded(played.run()); turn += 1) {
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

/** Returns whether the agent of a step succeeds. */
type Outcome = (path: string) => boolean;

/** Returns whether a lane succeeds without timeouts, by the definition of the step types. The reducer must agree. */
function laneSucceeds(lane: readonly Planned[], prefix: string, outcome: Outcome): boolean {
  return lane.every((step) => stepSucceeds(step, prefix, outcome));
}

function stepSucceeds({ id, lanes, node }: Planned, prefix: string, outcome: Outcome): boolean {
  const inside = (): number => lanes.filter((lane) => laneSucceeds(lane, prefix, outcome)).length;
  if (node.type === "agent") return node.goesOn || (node.isMapped && outcome(prefix + id));
  if (node.type === "human" || node.type === "workflow" || node.type === "prompt")
    return node.goesOn || outcome(prefix + id);
  if (node.type === "wait") return true;
  if (node.type === "parallel") return node.goesOn || inside() === lanes.length;
  if (node.type === "conditional") {
    if (node.condition.includes("nowhere")) return false;
    return laneSucceeds(lanes[node.condition === "true" ? 0 : 1] ?? [], prefix, outcome);
  }
  if (node.type === "loop") {
    if (node.onError !== "stop") return true;
    return Array.from({ length: node.items }, (_, index) => itemPrefix(prefix + id, index)).every((each) =>
      laneSucceeds(lanes[0] ?? [], each, outcome),
    );
  }
  const required = Math.min(node.required, lanes.length);
  const need = { all: lanes.length, any: 1, majority: Math.floor(lanes.length / 2) + 1, n_of_m: required };
  return inside() >= need[node.policy];
}

/** Checks the invariants of every event. Throws an error that names the violated one. */
function checkReduction(
  { definition }: Pick<RunPlan, "definition">,
  {
    before,
    event,
    reduction,
  }: { readonly before: RunRecord; readonly event: TimedEvent; readonly reduction: Reduction },
): void {
  const { commands, fault, run } = reduction;
  if (fault !== undefined) throw new Error("Something was thrown.", { cause: fault });
  const plain = { ...run, steps: Object.fromEntries(run.steps) };
  expect(JSON.parse(JSON.stringify(plain)), "the record is plain JSON").toEqual(plain);
  const isOver = hasEnded(before) && event.type !== "retry_requested";
  must(!isOver || (run === before && commands.length === 0), "nothing happens after the end");
  must(run !== before || commands.length === 0, "no command without a change");
  must(run.updated_at >= before.updated_at, "time does not go back");
  checkSteps(before, event, run);
  checkTasks(before, run, commands);
  checkBytes(before, run, commands);
  const ends = commands.filter((command) => command.type === "end");
  const hasJustEnded = hasEnded(run) && run !== before;
  must(ends.length === (hasJustEnded ? 1 : 0), "the end is told once");
  must(!hasJustEnded || commands.at(-1)?.type === "end", "nothing comes after the end");
  if (hasEnded(run)) {
    must(run.due_at === null, "a run that is over waits for nothing");
    must(Object.keys(run.tasks).length === 0, "a run that is over has no tasks");
    must([...run.steps.values()].every(hasEnded), "a run that is over has no open steps");
  } else if (run.state === "running") {
    const isAsking = pausesDeadline(definition, run.steps);
    must(run.due_at === null ? isAsking : run.due_at > run.updated_at, "a run that does not ask is due in the future");
    must(isAsking || (run.due_at ?? 0) <= (run.deadline_at ?? 0), "by its deadline at the latest");
  }
}

function checkSteps(before: RunRecord, event: TimedEvent, run: RunRecord): void {
  for (const [path, step] of changedSteps(before, run)) {
    const earlier = before.steps.get(path);
    must(earlier?.state !== "succeeded", `${path} succeeded once and for all`);
    if (earlier && hasEnded(earlier)) must(event.type === "retry_requested", `${path} is tried again on request only`);
    must(step.attempt - (earlier?.attempt ?? 0) <= 1, `${path} is started once at a time`);
    must(!hasEnded(step) || step.ended_at === run.updated_at, `${path} ended now`);
    must((step.started_at ?? 0) <= (step.ended_at ?? Infinity), `${path} was started before it ended`);
    must((step.state === "failed") === (step.error !== undefined), `${path} says why it failed`);
  }
  must(
    [...before.steps.keys()].every((path) => run.steps.has(path)),
    "no step is forgotten",
  );
}

function checkTasks(before: RunRecord, run: RunRecord, commands: Reduction["commands"]): void {
  const running = Object.keys(run.tasks);
  must(running.length <= run.limits.max_running, "no more tasks than the run may have");
  const dispatches = commands.filter((command) => command.type === "dispatch");
  must(
    dispatches.every(({ deadline }) => deadline <= (run.deadline_at ?? 0)),
    "no task is waited for longer than the run",
  );
  const given = dispatches.map((command) => command.task_id);
  const taken = commands.filter((command) => command.type === "cancel").map((command) => command.task_id);
  must(
    given.every((id) => Object.hasOwn(run.tasks, id) && !Object.hasOwn(before.tasks, id)),
    "what is given out is new, and waited for",
  );
  must(
    taken.every((id) => Object.hasOwn(before.tasks, id) && !Object.hasOwn(run.tasks, id)),
    "what is taken back was given out",
  );
  const gone = Object.keys(before.tasks).filter((id) => !Object.hasOwn(run.tasks, id) && !taken.includes(id));
  must(gone.length <= 1, "a task is answered or taken back, one answer at a time");
  for (const [id, path] of Object.entries(run.tasks))
    must(run.steps.get(path)?.state === "running", `${id} is of a running step`);
}

function checkBytes(before: RunRecord, run: RunRecord, commands: Reduction["commands"]): void {
  must(run.bytes <= run.limits.max_bytes, "a run holds no more than it may");
  const given = commands.flatMap((command) => (command.type === "dispatch" ? [command.input] : []));
  const said = changedSteps(before, run).flatMap(([, { error, output }]) => [
    output,
    error?.kind === "agent_failed" ? (error.agent_error ?? error.message) : undefined,
  ]);
  const told = said.filter((value) => value !== undefined);
  const added = [...given, ...told].reduce<number>((sum, value) => sum + Buffer.byteLength(JSON.stringify(value)), 0);
  must(run.bytes === before.bytes + added, "what is given and said is counted");
}

/** Checks that the same input gives the same result and is not modified. */
function checkPure(plan: RunPlan, before: RunRecord, event: TimedEvent): void {
  const frozen = deepFreeze(structuredClone(before));
  must(
    isDeepStrictEqual(reduceNow(plan, frozen, event), reduceNow(plan, structuredClone(before), event)),
    "it is pure",
  );
  // A map cannot be frozen.
  must(isDeepStrictEqual(frozen.steps, before.steps), "the steps before it stay as they were");
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of value instanceof Map ? value.values() : Object.values(value)) deepFreeze(member);
  }
  return value;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`This does not hold: ${what}.`);
}

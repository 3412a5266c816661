import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { reduceNow } from "./play-run.ts";
import type { Reduction, TimedEvent } from "../run/run-events.ts";
import { asksPeople } from "../run/waiting.ts";
import { itemPrefix, type RunPlan } from "../state/run-plan.ts";
import { changedSteps, hasEnded, isEnded, type RunRecord } from "../state/run-record.ts";
import type { Planned } from "./plan-tree.ts";

/** Returns whether the agent of a step succeeds. */
export type Outcome = (path: string) => boolean;

/** Returns whether a lane succeeds without timeouts, by the definition of the step types. The reducer must agree. */
export function laneSucceeds(lane: readonly Planned[], prefix: string, outcome: Outcome): boolean {
  return lane.every((step) => stepSucceeds(step, prefix, outcome));
}

function stepSucceeds({ id, lanes, node }: Planned, prefix: string, outcome: Outcome): boolean {
  const inside = (): number => lanes.filter((lane) => laneSucceeds(lane, prefix, outcome)).length;
  if (node.type === "agent") return node.goesOn || (node.isMapped && outcome(prefix + id));
  if (node.type === "human") return node.goesOn || outcome(prefix + id);
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
export function checkReduction(
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
  const isOver = isEnded(before) && event.type !== "retry_requested";
  must(!isOver || (run === before && commands.length === 0), "nothing happens after the end");
  must(run !== before || commands.length === 0, "no command without a change");
  must(run.updated_at >= before.updated_at, "time does not go back");
  checkSteps(before, event, run);
  checkTasks(before, run, commands);
  checkBytes(before, run, commands);
  const ends = commands.filter((command) => command.type === "end");
  const hasJustEnded = isEnded(run) && run !== before;
  must(ends.length === (hasJustEnded ? 1 : 0), "the end is told once");
  must(!hasJustEnded || commands.at(-1)?.type === "end", "nothing comes after the end");
  if (isEnded(run)) {
    must(run.due_at === null, "a run that is over waits for nothing");
    must(Object.keys(run.tasks).length === 0, "a run that is over has no tasks");
    must([...run.steps.values()].every(hasEnded), "a run that is over has no open steps");
  } else if (run.state === "running") {
    const isAsking = Object.values(run.tasks).some((path) => asksPeople(definition, path));
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
export function checkPure(plan: RunPlan, before: RunRecord, event: TimedEvent): void {
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

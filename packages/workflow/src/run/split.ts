import type { ForkJoinStep, LoopStep, WorkflowStep } from "@crosszone/contracts";
import type { StepRecord } from "./run-record.ts";
import { chainFrom, stepOf } from "./run-plan.ts";
import type { RunView } from "./run-view.ts";
import { itemPrefix, prefixOf, stepIdOf } from "./step-path.ts";

/** Steps that run in sequence. */
export interface Lane {
  /** The branch, the step or the index of the lane. */
  readonly name: string;
  /** The paths of its steps. */
  readonly paths: readonly string[];
  /** Deadline, Unix milliseconds. */
  readonly dueAt?: number;
  /** Whether its deadline passed. */
  readonly isTimedOut?: boolean;
}

/** The inner steps of a composite step as lanes with a rule to join them. Covers all composite types. */
export interface Split {
  readonly lanes: readonly Lane[];
  /** Maximum number of concurrent lanes. */
  readonly bound: number;
  /** Number of lanes that must succeed. Once they have, or can't any more, the rest is canceled. */
  readonly need: number;
  /** Waits for all lanes and succeeds whatever their results are. */
  readonly isTolerant: boolean;
}

/** Returns the top-level steps of a run. */
export function mainLane({ definition }: Pick<RunView, "definition">): Lane {
  return { name: "", paths: chainFrom(definition, definition.start_step) };
}

/** Returns the lanes of a step that have been created so far; none for an agent step. */
export function splitOf(view: RunView, path: string, record: StepRecord): Split {
  const step = stepOf(view.definition, stepIdOf(path));
  const lanes = lanesOf(view, path, record);
  const all = { lanes, bound: 1, need: lanes.length, isTolerant: false };
  const most = view.limits.max_running;
  if (step.type === "parallel") {
    return { ...all, bound: step.max_parallelism ?? most, isTolerant: step.on_error === "continue" };
  }
  if (step.type === "loop") {
    const { execution_mode, max_parallelism = most, on_error = "stop" } = step.loop_config;
    return { ...all, bound: execution_mode === "parallel" ? max_parallelism : 1, isTolerant: on_error !== "stop" };
  }
  return step.type === "fork_join" ? { ...all, bound: lanes.length, need: neededBranches(step) } : all;
}

function lanesOf(view: RunView, path: string, record: StepRecord): readonly Lane[] {
  const step = stepOf(view.definition, stepIdOf(path));
  const prefix = prefixOf(path);
  if (step.type === "fork_join") return branchLanes(step, prefix, record);
  if (step.type === "parallel") return step.parallel_steps.map((id) => ({ name: id, paths: [prefix + id] }));
  if (step.type === "loop") return itemLanes(step, path, record);
  if (step.type === "agent" || record.is_true === undefined) return [];
  const name = record.is_true ? "if_true_step" : "if_false_step";
  return [{ name, paths: chainFrom(view.definition, step[name], step.next_step).map((id) => prefix + id) }];
}

/** Caches the lanes of loops by record. They change only with the record, and a large loop has many. */
const knownLanes = new WeakMap<StepRecord, readonly Lane[]>();

function itemLanes({ loop_config: { loop_body } }: LoopStep, path: string, record: StepRecord): readonly Lane[] {
  const known = knownLanes.get(record);
  if (known) return known;
  const lanes = Array.from({ length: record.count ?? 0 }, (_, index) => {
    const prefix = itemPrefix(path, index);
    return { name: String(index), paths: loop_body.map((id) => prefix + id) };
  });
  knownLanes.set(record, lanes);
  return lanes;
}

function branchLanes({ fork_join_config }: ForkJoinStep, prefix: string, record: StepRecord): readonly Lane[] {
  return Object.entries(fork_join_config.branches).map(([name, branch]) => {
    const timeoutMs = branch?.timeout_ms ?? fork_join_config.branch_timeout_ms;
    return {
      name,
      paths: (branch?.steps ?? []).map((id) => prefix + id),
      ...(timeoutMs !== undefined && record.started_at !== undefined && { dueAt: record.started_at + timeoutMs }),
      isTimedOut: record.timed_out?.includes(name) === true,
    };
  });
}

function neededBranches({ fork_join_config: { branches, join_policy, n_required } }: ForkJoinStep): number {
  const total = Object.keys(branches).length;
  const needed = { all: total, any: 1, majority: Math.floor(total / 2) + 1, n_of_m: n_required ?? total };
  return needed[join_policy];
}

/** Returns true if the run continues after this step failed. */
export function goesOnAfter(step: WorkflowStep): boolean {
  return step.type === "agent" && step.on_error === "continue";
}

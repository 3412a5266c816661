import type { ForkJoinStep, LoopStep, WorkflowStep } from "@crosszone/contracts";
import type { StepRecord } from "./run-record.ts";
import { chainFrom, stepOf } from "./run-plan.ts";
import type { RunView } from "./run-view.ts";
import { itemPrefix, prefixOf, stepIdOf } from "./step-path.ts";

/** Steps that run one after the other. */
export interface Lane {
  /** The branch, the step or the index that it stands for. */
  readonly name: string;
  /** The paths of its steps. */
  readonly paths: readonly string[];
  /** When it is given up, Unix milliseconds. */
  readonly dueAt?: number;
  /** It was given up. */
  readonly isTimedOut?: boolean;
}

/** What a step that is made of others runs, and when that is enough. All types of such steps are this: lanes and a rule to join them. */
export interface Split {
  readonly lanes: readonly Lane[];
  /** How many lanes may be under way at once. */
  readonly bound: number;
  /** How many lanes have to succeed. As soon as they have, or cannot any more, the rest is canceled. */
  readonly need: number;
  /** It waits for all lanes, and succeeds whatever they come to. */
  readonly isTolerant: boolean;
}

/** The steps of a run that belong to no other. */
export function mainLane({ definition }: Pick<RunView, "definition">): Lane {
  return { name: "", paths: chainFrom(definition, definition.start_step) };
}

/** What a step is made of, as far as it was started; an agent's of nothing. */
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

/** The lanes of loops by their records: they are the same as long as the record is, and a large loop has very many. */
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

/** Whether the run goes on after this step failed. */
export function goesOnAfter(step: WorkflowStep): boolean {
  return step.type === "agent" && step.on_error === "continue";
}

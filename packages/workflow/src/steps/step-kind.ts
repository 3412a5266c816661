import type { RunProblem, WorkflowStep } from "@crosszone/contracts";
import type { RunLimits, RunView, StepRecord, TreeCount } from "./run-record.ts";

/** The schema's type of a step by its name. */
export type StepOf<Type extends WorkflowStep["type"]> = Extract<WorkflowStep, { type: Type }>;

/** The functions of a type of step that the engine calls. All are pure. */
export type StepKind<Type extends WorkflowStep["type"] = WorkflowStep["type"]> = LeafKind<Type> | CompositeKind<Type>;

/** What every type of step decides. */
interface AnyKind<Step> {
  /** Returns the problems that the schema does not cover, each with the keys of its member. */
  check(step: Step, known: KnownNames): readonly StepFinding[];
  /** Returns the texts that can contain references, also those that the step lacks. The engine checks and redacts them. */
  expressions(step: Step): readonly StepExpression[];
  /** Starts the step, also for a retry of the run. A WorkflowFault fails the step. */
  start(step: Step, starting: Starting): Started;
  /** Returns the output of a succeeded step, any JSON. */
  output(step: Step, ended: Ended): unknown;
}

/** A type of step that contains no steps. It waits for an agent, another job or a timer. */
export interface LeafKind<Type extends WorkflowStep["type"] = WorkflowStep["type"]> extends AnyKind<StepOf<Type>> {
  readonly form: "leaf";
  /** Returns the agent that the step calls. When absent, it calls none. */
  agentOf?(step: StepOf<Type>): string;
  /** Whether the deadline of the run does not pass while it runs. */
  readonly pausesDeadline?: boolean;
  /** What its start takes of the limits of its tree, besides a step. */
  readonly takes?: Exclude<keyof TreeCount, "steps">;
  /** The kind of the job that its call is. When absent, the call is a task of an agent. */
  readonly job?: string;
  /** Returns how the step ends when its timer `due_at` is due. `at`: now, Unix milliseconds. */
  whenDue(step: StepOf<Type>, at: number): StepEnd;
  /** Returns why an answer with this output fails the step; undefined if it succeeds. When absent, every answer succeeds. */
  refusal?(step: StepOf<Type>, output: unknown): RunProblem | undefined;
  /** The members of its output. When absent, they are not known. */
  readonly outputMembers?: readonly string[];
}

/** A type of step that contains steps. */
export interface CompositeKind<Type extends WorkflowStep["type"] = WorkflowStep["type"]> extends AnyKind<StepOf<Type>> {
  readonly form: "composite";
  /** Returns the steps that the definition places inside this step. */
  inside(step: StepOf<Type>): readonly InnerSteps[];
  /** Set if the steps inside run once for each item of a collection. */
  readonly repeat?: Repeat<StepOf<Type>>;
  /** Returns the lanes that exist so far in a run, and the rule to join them. */
  split(step: StepOf<Type>, at: { readonly view: RunView; readonly path: string; readonly record: StepRecord }): Split;
  /** Returns the error of a step whose lanes failed. */
  failure(step: StepOf<Type>, failed: { readonly path: string; readonly errors: readonly RunProblem[] }): RunProblem;
}

/** A problem of a step, or a warning: it is valid, but its runs will fail unless something else changes. */
export type StepFinding = readonly [keys: readonly string[], message: string, what?: "warning"];

export interface KnownNames {
  readonly ids: ReadonlySet<string>;
  /** The registered agents. If absent, agent names are not checked. */
  readonly agents: ReadonlySet<string> | undefined;
  /** The stored workflows, as above. */
  readonly workflows: ReadonlySet<string> | undefined;
  /** Whether a language model is connected; undefined if that is not known. */
  readonly hasModel: boolean | undefined;
  /** The models that `prompt` steps can name; undefined if they can name any. */
  readonly models: readonly string[] | undefined;
}

/** `collection`: a mapping that must give an array. */
export interface StepExpression {
  readonly kind: "mapping" | "condition" | "collection";
  readonly value: unknown;
  /** Keys from the step to the value. */
  readonly keys: readonly string[];
}

/** Steps inside a step, as the definition has them. */
export interface InnerSteps {
  /** `chain`: one id, which leads on along `next_step`. `list`: steps in order. `set`: steps that run independently. */
  readonly kind: "chain" | "list" | "set";
  readonly ids: readonly string[];
  /** Keys from the step to the ids. For a list or a set, the index of an id follows. */
  readonly keys: readonly string[];
  /** The label of the graph's edges. */
  readonly label?: string;
  /** Steps whose outputs later steps can see: all, possibly all, only the listed ids, or none. */
  readonly shows: "all" | "perhaps" | "ids" | "none";
  /** Names that only these steps can see. */
  readonly variables?: readonly string[];
  /** Returns true if these steps will not run any more. */
  readonly isSkipped?: (record: StepRecord | undefined) => boolean;
}

interface Repeat<Step> {
  /** Returns the template of the items. */
  collection(step: Step): unknown;
  /** Returns the author's name for the item, or undefined. */
  iterator(step: Step): string | undefined;
  /** Returns the names in the body of a step that may be invalid. Empty if it is of another type. */
  variables(source: unknown): readonly string[];
}

/** The values for the start of a step. `resolve`, `evaluate` and `items` throw a WorkflowFault. */
export interface Starting {
  readonly record: StepRecord;
  /** Now, Unix milliseconds. */
  readonly at: number;
  readonly limits: RunLimits;
  readonly resolve: (mapping: unknown) => unknown;
  readonly evaluate: (expression: string) => boolean;
  /** Returns the items of a repeated step. */
  readonly items: () => readonly unknown[];
}

/** New members of the step's record, and the call. */
export interface Started {
  readonly is_true?: boolean;
  readonly count?: number;
  readonly due_at?: number;
  /** The timer is a moment of the calendar, which no jump of a clock moves. */
  readonly is_moment?: boolean;
  /** To an agent. Without one, `input` is what the step's job gets. */
  readonly call?: { readonly agent_name?: string; readonly input: unknown };
}

/** `output`: any JSON. */
type StepEnd =
  { readonly state: "succeeded"; readonly output?: unknown } | { readonly state: "failed"; readonly error: RunProblem };

/** Returns how a step ends whose own timeout has passed. */
export const timedOut = (message: string): StepEnd => ({ state: "failed", error: { kind: "step_timed_out", message } });

interface Ended {
  readonly record: StepRecord;
  readonly lanes: readonly { readonly name: string; readonly end: LaneEnd; readonly output: unknown }[];
}

/** Steps that run in sequence. */
export interface Lane {
  /** The branch, the step or the index of the lane. */
  readonly name: string;
  readonly paths: readonly string[];
  /** Deadline, Unix milliseconds. */
  readonly dueAt?: number;
  /** Whether its deadline passed. */
  readonly isTimedOut?: boolean;
}

export type LaneEnd =
  | { readonly state: "open" }
  /** `last` is the path of its last step; absent in a lane without steps. */
  | { readonly state: "succeeded"; readonly last?: string }
  | { readonly state: "failed"; readonly error: RunProblem };

/** The lanes of a composite step with a rule to join them. */
export interface Split {
  readonly lanes: readonly Lane[];
  /** Maximum number of concurrent lanes. */
  readonly bound: number;
  /** Number of lanes that must succeed. Once they have, or can't any more, the rest is canceled. */
  readonly need: number;
  /** Waits for all lanes and succeeds whatever their results are. */
  readonly isTolerant: boolean;
}

/** Returns the error of a step that fails with the first of its lanes. */
export function firstFailure([error]: readonly RunProblem[]): RunProblem {
  return error ? { ...error, kind: "step_failed" } : { message: "An inner step failed.", kind: "step_failed" };
}

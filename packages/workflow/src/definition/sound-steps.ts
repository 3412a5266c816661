import { isWorkflowStep, problemsOf, type WorkflowStep } from "@crosszone/contracts";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { nearName } from "@crosszone/service-kit/text";
import type { InnerSteps } from "../steps/step-kind.ts";
import { insideOf, stepKinds } from "../steps/step-kinds.ts";

/** The steps of a source that may be a definition. */
export interface SoundSteps {
  /** Every key of `steps`. */
  readonly ids: ReadonlySet<string>;
  /** The steps that match the schema, also after fixing slips, by key. Invalid steps do not hide problems of the valid ones. */
  readonly sound: ReadonlyMap<string, WorkflowStep>;
  /** The iterator names of all loops, including invalid ones: `item`, `index` and custom names. */
  readonly iterators: ReadonlySet<string>;
}

export function soundSteps(source: unknown): SoundSteps {
  const steps = ownMember(source, "steps");
  if (!isObject(steps)) return { ids: new Set(), sound: new Map(), iterators: new Set() };
  const entries = Object.entries(steps);
  return {
    ids: new Set(entries.map(([id]) => id)),
    sound: new Map(entries.flatMap(([id, step]) => withoutSlips(step).map((fixed) => [id, fixed]))),
    iterators: new Set(
      entries.flatMap(([, step]) =>
        Object.values(stepKinds).flatMap((kind) =>
          kind.form === "composite" ? (kind.repeat?.variables(step) ?? []) : [],
        ),
      ),
    ),
  };
}

/** Returns the type that a misspelled one is near to. */
export const nearType = (type: unknown): string | undefined => nearName(type, Object.keys(stepKinds));

/**
 * Returns a step as it was probably meant, so that its other problems are reported at the same time: with the near type, `agent` as
 * `agent_name`, and without unknown members. Empty when it is still invalid.
 */
function withoutSlips(step: unknown): WorkflowStep[] {
  if (isWorkflowStep(step)) return [step];
  const { agent, agent_name = agent, type, ...rest } = isObject(step) ? step : {};
  const meant: object = { ...rest, type: nearType(type) ?? type, agent_name };
  const unknown = problemsOf(isWorkflowStep, meant).flatMap((one) =>
    one.message === "is not a known member" ? one.pointer : [],
  );
  const fixed = Object.fromEntries(Object.entries(meant).filter(([name]) => !unknown.includes(`/${name}`)));
  return isWorkflowStep(fixed) ? [fixed] : [];
}

/** Returns the definition with explicit step types. In the older format, agent steps have none. Changes nothing else. */
export function withStepTypes(source: unknown): unknown {
  const steps = ownMember(source, "steps");
  if (!isObject(source) || !isObject(steps)) return source;
  const typed = Object.entries(steps).map(([id, step]) => [
    id,
    isObject(step) && !Object.hasOwn(step, "type") ? { ...step, type: "agent" } : step,
  ]);
  return { ...source, steps: Object.fromEntries(typed) as unknown };
}

/** A link from a step to the step after it, or to steps inside it. */
interface StepLink {
  readonly kind: InnerSteps["kind"] | "next";
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

/** Returns every link of a step, without null ones. */
export function linksOf(step: WorkflowStep): readonly StepLink[] {
  const { next_step: next } = step;
  const inside = insideOf(step);
  return next === null || next === undefined ? inside : [...inside, { kind: "next", ids: [next], keys: ["next_step"] }];
}

/** Returns true if the index of an id follows the keys of the link. */
export const isIndexed = ({ kind }: StepLink): boolean => kind === "list" || kind === "set";

/** Yields the ids of a chain of next_step, each once. A chain inside a step ends before that step's next step. */
function* looseChain(
  steps: ReadonlyMap<string, WorkflowStep>,
  start: unknown,
  until?: string | null,
): Generator<string> {
  const seen = new Set<string>();
  for (let id = start; typeof id === "string" && id !== until && !seen.has(id); id = steps.get(id)?.next_step) {
    seen.add(id);
    yield id;
  }
}

/** Returns the last steps of chains inside steps, which lead to the next step of the step around them. */
export function joiningSteps(steps: ReadonlyMap<string, WorkflowStep>): ReadonlyMap<string, string> {
  const joins = new Map<string, string>();
  for (const step of steps.values()) {
    const { next_step: next } = step;
    if (typeof next !== "string") continue;
    const chains = insideOf(step).filter(({ kind }) => kind === "chain");
    for (const start of chains.flatMap(({ ids }) => ids))
      for (const id of looseChain(steps, start, next)) if (steps.get(id)?.next_step === next) joins.set(id, next);
  }
  return joins;
}

/** Returns the steps in lists, each with its possible successors in an ordered list. */
export function listedSteps(steps: ReadonlyMap<string, WorkflowStep>): ReadonlyMap<string, ReadonlySet<string>> {
  const listed = new Map<string, Set<string>>();
  for (const link of [...steps.values()].flatMap(linksOf).filter(isIndexed))
    link.ids.forEach((id, at) => {
      const followers = listed.getOrInsertComputed(id, () => new Set());
      const next = link.ids[at + 1];
      if (link.kind === "list" && next !== undefined) followers.add(next);
    });
  return listed;
}

/** The names that the references of a step can use. */
export interface VisibleNames {
  /** Steps that have ended when this one starts. */
  readonly certain: ReadonlySet<string>;
  /** Steps that may have ended: those in a branch that may not run or complete. */
  readonly possible: ReadonlySet<string>;
  /** In loops: `item`, `index` and the iterator names. */
  readonly variables: ReadonlySet<string>;
  /** Nesting depth of the step. */
  readonly depth: number;
}

export interface Visibility {
  readonly ofStep: ReadonlyMap<string, VisibleNames>;
  /** At the end of the run, for its output. */
  readonly atEnd: VisibleNames;
  /** For an invalid step: everything. */
  readonly anywhere: VisibleNames;
}

/**
 * Walks a definition from its first step and returns what each step can see. A step that is reached twice is visited once. Unreachable
 * steps, and steps after an invalid one, can see everything: their cause is already reported.
 */
export function visibilityOf({ ids, iterators, sound }: SoundSteps, start: unknown): Visibility {
  const ofStep = new Map<string, VisibleNames>();

  /** Visits steps in order; returns what is visible after them. */
  const inOrder = (order: Iterable<string>, before: VisibleNames): VisibleNames => {
    let seen = before;
    for (const id of order) {
      const step = sound.get(id);
      if (!step || ofStep.has(id)) return { ...seen, certain: ids };
      ofStep.set(id, seen);
      seen = plus(within(step, seen), [id]);
    }
    return seen;
  };

  /** Returns what is visible after a step, except the step itself. Its inner steps have been visited. */
  const within = (step: WorkflowStep, before: VisibleNames): VisibleNames =>
    insideOf(step).reduce((seen, { kind, ids: inner, shows, variables = [] }) => {
      const names = new Set([...before.variables, ...variables]);
      const inside = { ...before, variables: names, depth: before.depth + 1 };
      const orders = {
        chain: [looseChain(sound, inner[0], step.next_step)],
        list: [inner],
        set: inner.map((id) => [id]),
      };
      const [after = before] = orders[kind].map((order) => inOrder(order, inside));
      if (shows === "all") return plus(seen, after.certain, after.possible);
      if (shows === "perhaps") return plus(seen, [], [...after.certain, ...after.possible]);
      return shows === "ids" ? plus(seen, inner) : seen;
    }, before);

  const atEnd = inOrder(looseChain(sound, start), {
    certain: new Set(),
    possible: new Set(),
    variables: new Set(),
    depth: 0,
  });
  const anywhere = { certain: ids, possible: ids, variables: iterators, depth: 0 };
  for (const id of sound.keys()) if (!ofStep.has(id)) ofStep.set(id, anywhere);
  return { ofStep, atEnd, anywhere };
}

function plus(names: VisibleNames, certain: Iterable<string>, possible: Iterable<string> = []): VisibleNames {
  return {
    ...names,
    certain: new Set([...names.certain, ...certain]),
    possible: new Set([...names.possible, ...possible]),
  };
}

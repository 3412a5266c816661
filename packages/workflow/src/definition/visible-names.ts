import type { WorkflowStep } from "@crosszone/contracts";
import { insideOf } from "../steps/step-kinds.ts";
import { chainFrom, type SoundSteps } from "./sound-steps.ts";

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
        chain: [chainFrom(sound, inner[0], step.next_step)],
        list: [inner],
        set: inner.map((id) => [id]),
      };
      const [after = before] = orders[kind].map((order) => inOrder(order, inside));
      if (shows === "all") return plus(seen, after.certain, after.possible);
      if (shows === "perhaps") return plus(seen, [], [...after.certain, ...after.possible]);
      return shows === "ids" ? plus(seen, inner) : seen;
    }, before);

  const atEnd = inOrder(chainFrom(sound, start), {
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

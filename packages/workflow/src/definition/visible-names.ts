import type { WorkflowStep } from "@crosszone/contracts";
import type { SoundSteps } from "./sound-steps.ts";
import { chainFrom, innerLinks } from "./step-links.ts";

/** What the references of a step can see. */
export interface VisibleNames {
  /** Steps that are done when this one begins. */
  readonly certain: ReadonlySet<string>;
  /** Steps that may be: those in a branch that was perhaps not taken, or lost. */
  readonly possible: ReadonlySet<string>;
  /** `item`, `index` and the names of iterators, in loops. */
  readonly variables: ReadonlySet<string>;
  /** How many steps it stands within. */
  readonly depth: number;
}

export interface Visibility {
  readonly ofStep: ReadonlyMap<string, VisibleNames>;
  /** At the end of the run, for its output. */
  readonly atEnd: VisibleNames;
  /** Of a step that cannot be read: whatever there is. */
  readonly anywhere: VisibleNames;
}

/**
 * Follows a definition from its first step, and tells for each what it can see. A step that is reached twice is looked at once.
 * Steps that nothing leads to, and what comes behind a step that cannot be read, may see everything: what is wrong there is told already.
 */
export function visibilityOf({ ids, iterators, sound }: SoundSteps, start: unknown): Visibility {
  const ofStep = new Map<string, VisibleNames>();

  /** Steps one after the other; tells what can be seen behind them. */
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

  /** Behind a step, but for itself: what is inside it has been looked at. */
  const within = (step: WorkflowStep, before: VisibleNames): VisibleNames => {
    if (step.type === "agent") return before;
    const inner = innerLinks(step);
    const inside = { ...before, depth: before.depth + 1 };
    if (step.type === "conditional")
      return inner.reduce(
        (seen, link) => perhaps(seen, inOrder(chainFrom(sound, link.ids[0], step.next_step), inside)),
        before,
      );
    if (step.type === "parallel") {
      step.parallel_steps.forEach((id) => inOrder([id], inside));
      return plus(before, step.parallel_steps);
    }
    if (step.type === "loop") {
      const { iterator_variable: name, loop_body: body } = step.loop_config;
      const variables = new Set([...before.variables, "item", "index", ...(name === undefined ? [] : [name])]);
      inOrder(body, { ...inside, variables });
      return before;
    }
    const all = step.fork_join_config.join_policy === "all";
    return inner.reduce((seen, link) => {
      const after = inOrder(link.ids, inside);
      return all ? plus(seen, after.certain, after.possible) : perhaps(seen, after);
    }, before);
  };

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

function perhaps(names: VisibleNames, after: VisibleNames): VisibleNames {
  return plus(names, [], [...after.certain, ...after.possible]);
}

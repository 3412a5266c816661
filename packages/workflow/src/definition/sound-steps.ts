import { isWorkflowStep, type WorkflowStep } from "@crosszone/contracts";

/** The steps of something that may be a definition. */
export interface SoundSteps {
  /** Every key of `steps`. */
  readonly ids: ReadonlySet<string>;
  /** Those that fit the schema, by key: what is wrong with the others hides nothing that is wrong with these. */
  readonly sound: ReadonlyMap<string, WorkflowStep>;
  /** What loops name their items, those that do not fit included: `item`, `index` and names of their own. */
  readonly iterators: ReadonlySet<string>;
}

export function soundSteps(source: unknown): SoundSteps {
  const steps = ownMember(source, "steps");
  if (!isObject(steps)) return { ids: new Set(), sound: new Map(), iterators: new Set() };
  const entries = Object.entries(steps);
  return {
    ids: new Set(entries.map(([id]) => id)),
    sound: new Map(entries.filter((entry): entry is [string, WorkflowStep] => isWorkflowStep(entry[1]))),
    iterators: new Set(entries.flatMap(([, step]) => iteratorsOf(step))),
  };
}

function iteratorsOf(step: unknown): string[] {
  const config = ownMember(step, "loop_config");
  if (config === undefined && ownMember(step, "type") !== "loop") return [];
  const name = ownMember(config, "iterator_variable");
  return ["item", "index", ...(typeof name === "string" ? [name] : [])];
}

/** A member of an object's own, undefined when it is none. */
export function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** An object of JSON: no array, not null. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

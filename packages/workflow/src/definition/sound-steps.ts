import { isWorkflowStep, type WorkflowStep } from "@crosszone/contracts";

/** The steps of a source that may be a definition. */
export interface SoundSteps {
  /** Every key of `steps`. */
  readonly ids: ReadonlySet<string>;
  /** The steps that match the schema, by key. Invalid steps do not hide problems of the valid ones. */
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

/** Returns an own member of an object; undefined if it has none. */
export function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Returns true for a JSON object, false for arrays and null. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

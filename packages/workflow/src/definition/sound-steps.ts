import { isWorkflowStep, type WorkflowStep } from "@crosszone/contracts";

/** The steps of something that may be a definition. */
export interface SoundSteps {
  /** Every key of `steps`. */
  readonly ids: ReadonlySet<string>;
  /** Those that fit the schema, by key: what is wrong with the others hides nothing that is wrong with these. */
  readonly sound: ReadonlyMap<string, WorkflowStep>;
}

export function soundSteps(source: unknown): SoundSteps {
  const steps = ownMember(source, "steps");
  if (!isObject(steps)) return { ids: new Set(), sound: new Map() };
  const entries = Object.entries(steps);
  return {
    ids: new Set(entries.map(([id]) => id)),
    sound: new Map(entries.filter((entry): entry is [string, WorkflowStep] => isWorkflowStep(entry[1]))),
  };
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

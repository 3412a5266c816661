import { isWorkflowStep, type WorkflowStep } from "@crosszone/contracts";
import { isObject, ownMember } from "../mapping/look-up.ts";
import { stepKinds } from "../steps/step-kinds.ts";

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

function iteratorsOf(step: unknown): readonly string[] {
  return Object.values(stepKinds).flatMap((kind) =>
    kind.form === "composite" ? (kind.repeat?.variables(step) ?? []) : [],
  );
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

import { isObject, ownMember } from "./sound-steps.ts";

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

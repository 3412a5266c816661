import { SharedProblem } from "@crosszone/admin-api";

/** Settings are three levels deep; a patch of thousands would use up the stack. */
const mostLevels = 16;

/** Applies a JSON merge patch, without changing what it is applied to. https://www.rfc-editor.org/rfc/rfc7396#section-2 */
export function mergePatch(target: unknown, patch: unknown, level = 0): unknown {
  if (!isObject(patch)) return patch;
  if (level > mostLevels) throw new SharedProblem("malformed_request", "The body is nested too deeply.");
  // Not assigned: `__proto__` is a member as any other, and refused later as one that is not known.
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value, level + 1));
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

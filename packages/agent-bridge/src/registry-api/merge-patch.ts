import { SharedProblem } from "@crosszone/admin-api";

/** Settings are three levels deep; a patch with thousands would overflow the stack. */
const mostLevels = 16;

/**
 * Returns the result of a JSON merge patch. Does not change its target.
 * https://www.rfc-editor.org/rfc/rfc7396#section-2
 */
export function mergePatch(target: unknown, patch: unknown, level = 0): unknown {
  if (!isObject(patch)) return patch;
  if (level > mostLevels) throw new SharedProblem("malformed_request", "The body is nested too deeply.");
  // A map, because assigning `__proto__` would not create a member. It is rejected later as unknown.
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

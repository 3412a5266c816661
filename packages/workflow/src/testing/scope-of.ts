import type { Scope } from "../mapping/look-up.ts";

/** Returns a scope for tests; omitted members are empty. */
export function scopeOf(given: {
  input?: unknown;
  outputs?: Record<string, unknown>;
  variables?: Record<string, unknown>;
}): Scope {
  return {
    input: given.input,
    outputs: new Map(Object.entries(given.outputs ?? {})),
    variables: new Map(Object.entries(given.variables ?? {})),
  };
}

import type { Scope } from "../scope.ts";

/** A scope for tests; what is left out is empty. */
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

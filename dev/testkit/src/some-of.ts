import { inject } from "vitest";

/**
 * Returns the cases that a test file tries: in the quick suite so many of them, evenly spread, and all elsewhere. The file says `// suite: both` in its
 * first line.
 */
export function someOf<T>(cases: readonly T[], quickly: number): readonly T[] {
  if (inject("engines") === "both") return cases;
  const part = (at: number): number => Math.floor((at * quickly) / cases.length);
  return cases.filter((_case, at) => part(at) !== part(at + 1));
}

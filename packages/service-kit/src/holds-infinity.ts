/** Returns true if a parsed JSON value contains a number that overflowed to infinity, which would be serialized as null. */
export function holdsInfinity(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "number" && !Number.isFinite(next)) return true;
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) open.push(member);
  }
  return false;
}

/** The advice, as a predicate of "the body" or a member's name. */
export const infinityAdvice = "has a number that is too large; send it as text";

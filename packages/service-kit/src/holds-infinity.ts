/** Whether a parsed JSON value has a number that was too large to be read: JSON has no infinity, and it would be written as null. */
export function holdsInfinity(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "number" && !Number.isFinite(next)) return true;
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) open.push(member);
  }
  return false;
}

/** What to do about it, as what follows "the body" or the name of a member. */
export const infinityAdvice = "has a number that is larger than numbers can be; send it as text";

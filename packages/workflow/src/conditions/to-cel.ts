/** JSON as CEL has it. Objects become maps, so that no member of a prototype is there to be reached. */
export function toCel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([name, member]) => [name, toCel(member)]));
}

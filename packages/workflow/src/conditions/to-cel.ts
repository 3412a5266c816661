/** What was made of JSON since the event loop turned: the conditions of all items of a loop ask for the same input, which may be large. */
let known: Map<object, unknown> | undefined;

/** JSON as CEL has it. Objects become maps, so that no member of a prototype is there to be reached. */
export function toCel(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (known === undefined) setImmediate(() => (known = undefined));
  known ??= new Map();
  return known.getOrInsertComputed(value, copyOf);
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}

/** A JSON object, by its own members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of a JSON object, and nothing that every object has: `constructor` is not in `{}`. */
export function ownMember(value: unknown, member: string): unknown {
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** A list that a member of a JSON object is; an empty one for anything else. */
export function ownList(value: unknown, member: string): readonly unknown[] {
  const list = ownMember(value, member);
  return Array.isArray(list) ? list : [];
}

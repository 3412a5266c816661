/** A JSON object. Read only its own members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an own member of a JSON object, so that `constructor` is undefined in `{}`. */
export function ownMember(value: unknown, member: string): unknown {
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** Returns a list member of a JSON object; an empty list for anything else. */
export function ownList(value: unknown, member: string): readonly unknown[] {
  const list = ownMember(value, member);
  return Array.isArray(list) ? list : [];
}

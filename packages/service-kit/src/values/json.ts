/** A JSON object. Read only its own members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true for an object that is neither null nor an array. */
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

/**
 * Returns a JSON value as the only text that RFC 8785 allows for it: members in the order of code units, no spaces. Members that are
 * undefined are omitted. https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`;
}

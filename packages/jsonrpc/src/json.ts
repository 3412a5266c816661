const encoder = new TextEncoder();

/** Encodes text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns an own member of an object, so that `constructor` is undefined in `{}`; undefined for any other value. */
export function ownMember(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, member)
    ? value[member as never]
    : undefined;
}

/**
 * Returns the text of each request's numeric `id`, by position in the batch, or at 0 for a single request. A JavaScript number can't
 * represent every JSON number (9007199254740993, 1e999), so the response echoes the text. The bytes must be valid JSON that is not nested deeply.
 */
export function numericIdTexts(bytes: Uint8Array): (string | undefined)[] {
  const texts = new Map<unknown, string>();
  const keep = function (this: unknown, ...[key, member, context]: [string, unknown, { readonly source: string }?]) {
    if (key === "id" && typeof member === "number" && context) texts.set(this, context.source);
    return member;
  };
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes), keep);
  return [value].flat().map((entry) => texts.get(entry));
}

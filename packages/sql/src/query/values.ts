/** The type of a column in written rows. Text can't contain U+0000 or half a surrogate pair, except as JSON. */
export type ColumnKind = "text" | "bigint";

/** Makes external text storable: PostgreSQL refuses U+0000, and both engines half a surrogate pair. */
export const columnText = (text: string): string => text.toWellFormed().replaceAll("\0", "\u{fffd}");

/**
 * Throws for values that one of the engines would not store as they are: text with U+0000 or half a surrogate pair (JSON within text can
 * contain both, escaped), and `undefined`, which would become null.
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === undefined) throw new TypeError("a parameter is undefined: use null");
    if (Array.isArray(value)) checkParameters(value);
    if (typeof value !== "string") continue;
    if (value.includes("\0"))
      throw new TypeError("a text parameter contains U+0000: store it as JSON or as its SHA-256");
    if (!value.isWellFormed())
      throw new TypeError("a text parameter contains half a surrogate pair: store it as JSON or as its SHA-256");
  }
}

/** Throws for objects, and for arrays with objects in them. */
export function refuseObjects(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (Array.isArray(value)) refuseObjects(value);
    else refuseObject(value);
  }
}

export function refuseObject(value: unknown): void {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
    throw new TypeError("a parameter is an object: use text, a number, a bigint, bytes or null");
}

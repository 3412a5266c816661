/**
 * Refuses what one of the engines would not keep as it is: text with U+0000 or half a surrogate pair (JSON within text may hold both,
 * escaped), and `undefined`, which would be taken for null.
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === undefined) throw new TypeError("a parameter is undefined: null is what a column can hold");
    if (Array.isArray(value)) checkParameters(value);
    if (typeof value !== "string") continue;
    if (value.includes("\0")) throw new TypeError("a text parameter holds U+0000: keep it within JSON, or its SHA-256");
    if (!value.isWellFormed())
      throw new TypeError("a text parameter holds half a surrogate pair: keep it within JSON, or its SHA-256");
  }
}

/** A JSON pointer to what the keys lead to, RFC 6901; the empty one means the whole. */
export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

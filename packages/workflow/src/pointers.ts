/** Returns the JSON pointer (RFC 6901) of a path of keys. The empty pointer is the whole document. */
export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Returns the size of a JSON value when stored or sent, bytes. */
export function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

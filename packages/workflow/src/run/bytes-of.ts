/** How much any JSON is when it is stored or sent: bytes of its text. */
export function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** Bytes to text. A byte order mark is dropped; bytes that are not UTF-8 throw a `TypeError`. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Text to bytes. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

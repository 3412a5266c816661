import { gatherBytes } from "./gather-bytes.ts";

/** Reads a body to its end, or until it is larger than `maxBytes`; the rest is not read. */
export async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | "too_large"> {
  const bytes = gatherBytes();
  for await (const chunk of body) {
    if (bytes.add(chunk) > maxBytes) return "too_large";
  }
  return bytes.whole();
}

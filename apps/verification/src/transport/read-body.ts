import { gatherBytes } from "@crosszone/service-kit";

/** Reads a body to its end, or until it is larger than `maxBytes`. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | "too_large"> {
  const bytes = gatherBytes();
  for await (const chunk of body) {
    bytes.add(chunk);
    if (bytes.size > maxBytes) return "too_large";
  }
  return bytes.whole();
}

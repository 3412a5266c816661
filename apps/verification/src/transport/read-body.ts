/** Reads a body to its end, or until it is larger than `maxBytes`. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | "too_large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return "too_large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

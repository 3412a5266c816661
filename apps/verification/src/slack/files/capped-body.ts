import { FileRefusedError } from "./file-refusal.ts";

/** A body whose first bytes have been read. */
export interface StartedBody {
  /** At least the requested number of bytes, or the whole body if it is shorter. */
  readonly start: Uint8Array;
  /** The whole body, including the start. Read it once. */
  readonly whole: AsyncIterable<Uint8Array>;
}

/** Reads the first bytes of a body. Reading more than `maxBytes` bytes throws a `FileRefusedError`, whatever length was announced. */
export async function startBody(
  body: AsyncIterable<Uint8Array>,
  { bytes, maxBytes }: { readonly bytes: number; readonly maxBytes: number },
): Promise<StartedBody> {
  const rest = capped(body, maxBytes);
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < bytes;) {
    const { done, value } = await rest.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  const start = Buffer.concat(chunks);
  return { start, whole: joined(start, rest) };
}

async function* capped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new FileRefusedError("too_large");
    yield chunk;
  }
}

async function* joined(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield start;
  yield* rest;
}

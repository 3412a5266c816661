import type { IncomingMessage } from "node:http";

/** The body was too large, or the client disconnected before its end. */
export type BodyFailure = "too_large" | "aborted";

/**
 * Reads a request's body into one buffer of at most `maxBytes`. The answer can still be sent if the body is too large. Used instead of
 * `express.json()`, which parses before the protocol can answer and costs about as much as the whole dispatch.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | BodyFailure> {
  return new Promise((resolve) => {
    // The client may have disconnected earlier; no event would report it now.
    if (request.destroyed) return resolve("aborted");
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return resolve("too_large");
    const bytes = gatherBytes();
    request.on("data", (chunk: Buffer) => {
      if (bytes.add(chunk) <= maxBytes) return;
      request.pause();
      resolve("too_large");
    });
    request.on("end", () => resolve(bytes.whole()));
    // A disconnect is an `error` only for error listeners, but always closes the request.
    request.on("close", () => resolve("aborted"));
  });
}

/** Reads a body to its end, or until it is larger than `maxBytes`; the rest is not read. */
export async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | "too_large"> {
  const bytes = gatherBytes();
  for await (const chunk of body) {
    if (bytes.add(chunk) > maxBytes) return "too_large";
  }
  return bytes.whole();
}

/** Bytes that arrive in chunks. */
export interface GatheredBytes {
  /** Adds a chunk; returns the total number of bytes. */
  add(piece: Uint8Array): number;
  /** Returns all bytes. A single chunk is returned as is; several are copied to a new buffer. */
  whole(): Buffer;
}

/** Chunks smaller than this on average are merged, because each costs about this much memory. */
const smallPiece = 256;
const manyPieces = 16;

/**
 * Collects chunks. Uses at most twice the memory of the bytes. A list of chunks would cost a hundred times as much if a sender makes each
 * chunk of HTTP one byte long. https://www.rfc-editor.org/rfc/rfc9112#section-7.1
 */
export function gatherBytes(): GatheredBytes {
  let pieces: Uint8Array[] = [];
  let size = 0;
  return {
    add: (piece) => {
      pieces.push(piece);
      size += piece.length;
      if (pieces.length > manyPieces && pieces.length * smallPiece > size) pieces = [Buffer.concat(pieces, size)];
      return size;
    },
    whole: () => {
      const [first] = pieces;
      return pieces.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(pieces, size);
    },
  };
}

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

/** Bytes that come in pieces. */
export interface GatheredBytes {
  /** Takes a piece; tells how many bytes there are now. */
  add(piece: Uint8Array): number;
  /** All of them. A single piece is given as it came, the bytes of several are in memory of their own. */
  whole(): Buffer;
}

/** Pieces are put together as soon as they are many, and smaller than this on average: a piece costs memory of about that size. */
const smallPiece = 256;
const manyPieces = 16;

/**
 * Puts pieces together as they come. Memory is at most twice the bytes: a list of pieces would cost a hundred times as much where a
 * sender makes each of them a byte long, as chunks of HTTP may be. https://www.rfc-editor.org/rfc/rfc9112#section-7.1
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

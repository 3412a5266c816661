/** Bytes that come in pieces. */
export interface GatheredBytes {
  /** How many there are. */
  readonly size: number;
  add(piece: Uint8Array): void;
  /** All of them. A single piece is given as it came, the bytes of several are in memory of their own. */
  whole(): Buffer;
}

/**
 * Puts pieces together as they come. Memory is at most twice the bytes: a list of pieces would cost a hundred times as much where a
 * sender makes each of them a byte long, as chunks of HTTP may be. https://www.rfc-editor.org/rfc/rfc9112#section-7.1
 */
export function gatherBytes(): GatheredBytes {
  let room: Uint8Array = new Uint8Array();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add: (piece) => {
      const end = size + piece.length;
      // The first piece fills its room, so nothing is ever written into it.
      if (size === 0) room = piece;
      else {
        if (end > room.length) {
          const wider = Buffer.allocUnsafeSlow(2 * end);
          wider.set(room.subarray(0, size));
          room = wider;
        }
        room.set(piece, size);
      }
      size = end;
    },
    whole: () => Buffer.from(room.buffer, room.byteOffset, size),
  };
}

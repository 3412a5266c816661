import { cutPoint, type CutRange } from "./cut-point.ts";
import { fenceAfter, type Fence } from "./fence.ts";

/** One message's worth of a Markdown text. */
export interface MarkdownPart {
  /** The text to post: `slice`, with code blocks closed and reopened at the cuts. */
  readonly text: string;
  /** A piece of the original. Joining all slices gives the original. */
  readonly slice: string;
}

/**
 * Splits Markdown into parts of at most `limit` UTF-16 units, each readable on its own, in as few parts as good cuts allow.
 * Parts that would be blank are left out. `limit` must be 200 or more.
 */
export function splitMarkdown(text: string, limit: number): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let rest = text;
  let open: Fence | undefined;
  while (rest.length > 0) {
    const part = nextPart(rest, open, limit);
    parts.push(part);
    open = fenceAfter(part.slice, open);
    rest = rest.slice(part.slice.length);
  }
  return parts.filter(({ slice }) => slice.trim() !== "");
}

function nextPart(rest: string, open: Fence | undefined, limit: number): MarkdownPart {
  const opener = open === undefined ? "" : `${open.marker}${open.language}\n`;
  let room = limit - opener.length;
  for (;;) {
    const slice = rest.length <= room ? rest : rest.slice(0, cutPoint(rest, range(rest.length, room)));
    const after = fenceAfter(slice, open);
    const closer = after === undefined ? "" : `${slice.endsWith("\n") ? "" : "\n"}${after.marker}`;
    const text = opener + slice + closer;
    if (text.length <= limit) return { text, slice };
    room -= text.length - limit;
  }
}

/** Returns a range that keeps the number of parts minimal, with at least a tenth of the room to choose from. */
function range(length: number, room: number): CutRange {
  const parts = Math.max(2, Math.ceil(length / room));
  const spare = parts * room - length;
  const fewest = room - spare / (parts - 1);
  return { preferred: Math.max(room / 2, Math.min(room * 0.9, fewest)), earliest: room / 2, latest: room };
}

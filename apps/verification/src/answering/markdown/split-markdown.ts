/** A fenced code block that is still open at a given point of a Markdown text. */
interface Fence {
  /** The run of backticks or tildes that opened it. */
  readonly marker: string;
  /** The first word of its info string, usually a language. */
  readonly language: string;
}

/** Longer runs and names are decoration, not code blocks. Any indent matches, because lists can contain code. */
const opening = /^[ \t]*(`{3,40}(?!`)|~{3,40}(?!~))[ \t]*(\S{0,40})([^\n]*)$/;
const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

/**
 * Returns the code block that is open after the last line of `text`, or undefined. `before` is the block open before `text`.
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
function fenceAfter(text: string, before?: Fence): Fence | undefined {
  let open = before;
  for (const line of text.split(/\r?\n/)) open = open === undefined ? opened(line) : stillOpen(line, open);
  return open;
}

function opened(line: string): Fence | undefined {
  const [, marker, language = "", rest = ""] = opening.exec(line) ?? [];
  // The info string of a backtick fence has no backtick; such a line is inline code.
  if (marker === undefined || (marker.startsWith("`") && `${language}${rest}`.includes("`"))) return undefined;
  return { marker, language };
}

function stillOpen(line: string, open: Fence): Fence | undefined {
  const marker = closing.exec(line)?.[1] ?? "";
  return marker.startsWith(open.marker) ? undefined : open;
}

/** Places where a text may be cut, best first; each match ends where the next part begins. */
const boundaries: readonly RegExp[] = [/\n[ \t\r]*\n+/g, /\n/g, /[.!?…]["'”’)\]]*\s+|[。！？]["'”’」』）]*/g, /\s+/g];

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
/** Longer graphemes are not real characters; they are cut between code points. */
const longestGrapheme = 200;

/** Lengths in UTF-16 units. */
interface CutRange {
  /** The next part preferably begins at or after this index. */
  readonly preferred: number;
  /** The next part can begin here when no good place follows `preferred`. */
  readonly earliest: number;
  /** The maximum length of the part. */
  readonly latest: number;
}

/**
 * Returns where to cut a text that is longer than `latest`: after a paragraph, else a line, a sentence, a word, or a grapheme. The last
 * match within the range wins. The cut is never inside a surrogate pair.
 */
function cutPoint(text: string, { preferred, earliest, latest }: CutRange): number {
  const window = text.slice(0, latest);
  const last = boundaries.map((boundary) => {
    const match = [...window.matchAll(boundary)].at(-1);
    return match === undefined ? 0 : match.index + match[0].length;
  });
  const good = last.find((place) => place >= preferred) ?? last.find((place) => place >= earliest);
  return good ?? graphemeCut(text, latest);
}

function graphemeCut(text: string, latest: number): number {
  const from = codePointStart(text, Math.max(0, latest - longestGrapheme));
  const starts = [...graphemes.segment(text.slice(from, latest + longestGrapheme))].map(({ index }) => from + index);
  const cut = starts.findLast((start) => start > from && start <= latest);
  return cut ?? Math.max(1, codePointStart(text, latest));
}

/** Returns the start of the code point that contains the unit at `index`. */
function codePointStart(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

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

import { roomIn } from "./plan-blocks.ts";

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
 * Returns the code block that is open after the last line of `text`, or undefined.
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fenceAfter(text: string): Fence | undefined {
  let open: Fence | undefined;
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

/**
 * Returns where to cut a text that is longer than `latest`: after a paragraph, else a line, a sentence, a word, or a grapheme. The last
 * match in the preferred range wins, else in the second half; none is before `least`. The cut is never inside a surrogate pair.
 */
function cutPoint(text: string, latest: number, least: number): number {
  // The number of parts stays minimal, with at least a tenth of the room to choose from.
  const parts = Math.max(2, Math.ceil(text.length / latest));
  const fewest = latest - (parts * latest - text.length) / (parts - 1);
  const earliest = Math.max(latest / 2, least);
  const preferred = Math.max(earliest, Math.min(latest * 0.9, fewest));
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
  /** The text to post: what begins again, and `slice`, with an open code block closed. */
  readonly text: string;
  /** A piece of the original. Joining all slices gives the original. */
  readonly slice: string;
  /** What begins again after this part: a code block, or the header of a table. */
  readonly next: string;
}

/**
 * Splits Markdown into parts of at most `limit` UTF-16 units that one message of Slack takes, each readable on its own, in as few parts as
 * good cuts allow. Parts that would be blank are left out. The first parts have the slices that are given. `limit` must be 200 or more.
 */
export function splitMarkdown(text: string, limit: number, given: readonly string[] = []): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  for (let rest = text; rest.length > 0;) {
    const part = firstPart(rest, { limit, repeated: parts.at(-1)?.next ?? "", given: given[parts.length] });
    parts.push(part);
    rest = rest.slice(part.slice.length);
  }
  return parts.filter(({ slice }) => slice.trim() !== "");
}

interface FirstPart {
  readonly limit: number;
  /** What begins again from the part before. */
  readonly repeated: string;
  readonly given?: string | undefined;
  /** The part has at least these characters, because people have read them there. */
  readonly least?: number;
}

/** Enough of what follows a part to see that a table goes on. */
const lookahead = 200;

/** Returns the first part of a text. */
export function firstPart(rest: string, { limit, repeated, given, least = 0 }: FirstPart): MarkdownPart {
  const start = repeated.length;
  let room = limit - start;
  const plan = roomIn(repeated + rest.slice(0, Math.max(room, given?.length ?? 0) + lookahead), start);
  const cutAt = (): number => {
    const most = Math.min(room, plan.end - start);
    if (rest.length <= most) return rest.length;
    if (most <= least || (plan.isBoundary && most < room)) return most;
    return plan.outsideRows(start + cutPoint(rest, most, least), start) - start;
  };
  for (;;) {
    const slice = given ?? rest.slice(0, Math.max(least, cutAt()));
    const fence = fenceAfter(repeated + slice);
    const closer = fence === undefined ? "" : `${slice.endsWith("\n") ? "" : "\n"}${fence.marker}`;
    const text = repeated + slice + closer;
    const header = plan.headerAt(start + slice.length);
    const next = fence === undefined ? (header.length > limit / 2 ? "" : header) : `${fence.marker}${fence.language}\n`;
    if (given !== undefined || slice.length === least || text.length <= limit) return { text, slice, next };
    room -= text.length - limit;
  }
}

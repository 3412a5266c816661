/** Places where a text may be cut, best first; each match ends where the next part begins. */
const boundaries: readonly RegExp[] = [/\n[ \t\r]*\n+/g, /\n/g, /[.!?…]["'”’)\]]*\s+|[。！？]["'”’」』）]*/g, /\s+/g];

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
/** What is longer is no character that anybody reads; it is cut between code points. */
const longestGrapheme = 200;

/** Lengths in UTF-16 units. */
export interface CutRange {
  /** The next part had better not begin before this. */
  readonly preferred: number;
  /** The next part may begin here when there is no good place after `preferred`. */
  readonly earliest: number;
  /** The part may be no longer than this. */
  readonly latest: number;
}

/**
 * Finds where to cut a text that is longer than `latest`: after a paragraph, else after a line, a sentence, a word, else
 * between two graphemes. Of equal places the last one within the range wins. Never inside a surrogate pair.
 */
export function cutPoint(text: string, { preferred, earliest, latest }: CutRange): number {
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

/** The start of the code point that the unit at `index` belongs to. */
function codePointStart(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

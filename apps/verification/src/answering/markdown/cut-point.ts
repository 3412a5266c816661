/** Places where a text may be cut, best first; each match ends where the next part begins. */
const boundaries: readonly RegExp[] = [/\n[ \t\r]*\n+/g, /\n/g, /[.!?…]["'”’)\]]*\s+|[。！？]["'”’」』）]*/g, /\s+/g];

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
/** Longer graphemes are not real characters; they are cut between code points. */
const longestGrapheme = 200;

/** Lengths in UTF-16 units. */
export interface CutRange {
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

/** Returns the start of the code point that contains the unit at `index`. */
function codePointStart(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

import stringWidth from "string-width";

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How many columns of a terminal a text takes: wide characters, as of Japanese, take two. */
export const columnsOf = (text: string): number => stringWidth(text);

/** A line that takes at most so many columns; what is longer ends with `…`. */
export function fit(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  let kept = "";
  let taken = 0;
  for (const { segment } of characters.segment(line)) {
    taken += columnsOf(segment);
    if (taken > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : "";
}

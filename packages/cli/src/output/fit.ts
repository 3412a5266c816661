import stringWidth from "string-width";

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns the width of a text in terminal columns. Wide characters, such as Japanese ones, take two. */
export const columnsOf = (text: string): number => stringWidth(text);

/** Cuts a line to a number of columns. A cut line ends with `…`. */
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

const segmenter = new Intl.Segmenter();
/** Characters of double width: Chinese, Japanese, Korean, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** Shortens a text to a width in letters, with an ellipsis. */
export function fittingText(text: string, letters: number): string {
  const oneLine = text.replaceAll(/\s+/g, " ");
  let room = letters;
  let fitting = "";
  for (const { segment } of segmenter.segment(oneLine)) {
    const width = wide.test(segment) ? 2 : 1;
    const isLast = fitting.length + segment.length === oneLine.length;
    if (room < (isLast ? width : width + 1)) return `${fitting.trimEnd()}…`;
    room -= width;
    fitting += segment;
  }
  return fitting;
}

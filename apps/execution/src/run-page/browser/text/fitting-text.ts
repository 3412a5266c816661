const segmenter = new Intl.Segmenter();
/** What takes twice the room: Chinese, Japanese, Korean, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** A text for a place that is so many letters wide; what is cut off is an ellipsis. */
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

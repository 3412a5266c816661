/** Control characters, including those that change the text direction. */
const unseen = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Returns the text as one line of at most `longest` characters, cut with `…`. */
export function oneLine(text: string, longest: number): string {
  const line = text.replaceAll(unseen, " ").replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= longest ? line : `${characters.slice(0, longest).join("").trimEnd()}…`;
}

/** Control characters, and those that turn the direction of what follows. */
const unseen = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** A text as one line of at most so many characters, cut with `…`. */
export function oneLine(text: string, longest: number): string {
  const line = text.replaceAll(unseen, " ").replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= longest ? line : `${characters.slice(0, longest).join("").trimEnd()}…`;
}

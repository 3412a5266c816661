/** Control characters, and those that are not displayed: with them text can hide instructions from people. */
const hidden = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB]+/gu;

/** Returns a text of an author as one line of at most `most` characters, without characters that people can't see. */
export function plainText(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(hidden, "").trim();
  // Half of a character at the end is no text.
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

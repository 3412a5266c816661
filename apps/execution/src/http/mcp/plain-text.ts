import { visibleLine } from "@crosszone/service-kit/text";

/** Returns a text of an author as one line of at most `most` characters, without characters that people can't see. */
export function plainText(text: string, most: number): string {
  const line = visibleLine(text);
  return line.length <= most ? line : `${visibleLine(line.slice(0, most - 1))}…`;
}

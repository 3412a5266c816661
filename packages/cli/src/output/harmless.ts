/**
 * What moves a cursor, colours, ends a line or turns the direction of text: all controls but tab and line feed, U+2028, U+2029 and
 * bidirectional overrides.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * A text of somebody else for a terminal: what could change how the rest is shown is written as `\u001b`. JSON stays the same JSON, since
 * such characters stand in strings only.
 */
export function harmless(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(dangerous, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replaceAll(/[\n\t]+/g, " ");
}

/** Any JSON, for people and for machines. */
export function harmlessJson(value: unknown): string {
  return harmless(JSON.stringify(value, undefined, 2));
}

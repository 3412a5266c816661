/**
 * Characters that move the cursor, set colours, end a line or change text direction: all controls except tab and line feed, U+2028, U+2029
 * and bidirectional overrides.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes untrusted text for a terminal: control characters become `\u001b` and the like. JSON stays equivalent, because it has such
 * characters only inside strings.
 */
export function harmless(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(dangerous, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Like `harmless`, on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replaceAll(/[\n\t]+/g, " ");
}

/** Formats a value as indented JSON that is safe for a terminal. */
export function harmlessJson(value: unknown): string {
  return harmless(JSON.stringify(value, undefined, 2));
}

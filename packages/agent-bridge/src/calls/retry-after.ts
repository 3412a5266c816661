/**
 * Reads `Retry-After`, seconds or a date, as milliseconds from now on; 0 when there is none that can be read. A date counts from the
 * agent's own clock where it says what that is. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(headers: Readonly<Record<string, string | undefined>>, now: number): number {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // A date begins with the name of its day; Date.parse takes much else.
  if (!/^[A-Z][a-z]+, /.test(text)) return 0;
  const until = Date.parse(text);
  const from = Date.parse(headers["date"] ?? "");
  return Number.isNaN(until) ? 0 : Math.max(0, until - (Number.isNaN(from) ? now : from));
}

/**
 * Parses `Retry-After`, seconds or a date, to milliseconds from now; 0 when absent or invalid. A date is relative to
 * the agent's own clock if the agent sends a `Date`. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(headers: Readonly<Record<string, string | undefined>>, now: number): number {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // An HTTP date starts with the day's name; Date.parse accepts other texts, too.
  if (!/^[A-Z][a-z]+, /.test(text)) return 0;
  const until = Date.parse(text);
  const from = Date.parse(headers["date"] ?? "");
  return Number.isNaN(until) ? 0 : Math.max(0, until - (Number.isNaN(from) ? now : from));
}

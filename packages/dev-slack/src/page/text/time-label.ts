/** How to write a time. Everything defaults to the reader's own: their locale, their zone, the clock. */
export interface TimeStyle {
  locale?: string;
  timeZone?: string;
  /** Unix milliseconds. */
  now?: number;
}

const dayMs = 86_400_000;

/** `10:31 AM`. `ts` is a Slack time stamp: Unix seconds with a fraction. */
export function clockTime(ts: string, style: TimeStyle = {}): string {
  return write(ts, style, { hour: "numeric", minute: "2-digit" });
}

/** `Today`, `Yesterday`, `Friday, November 14`, and with the year when it is another one. */
export function dayLabel(ts: string, style: TimeStyle = {}): string {
  const now = style.now ?? Date.now();
  const day = dayKey(ts, style);
  if (day === dayKey(String(now / 1000), style)) return "Today";
  if (day === dayKey(String((now - dayMs) / 1000), style)) return "Yesterday";
  const sameYear = day.slice(0, 4) === dayKey(String(now / 1000), style).slice(0, 4);
  return write(ts, style, { weekday: "long", month: "long", day: "numeric", ...(sameYear ? {} : { year: "numeric" }) });
}

/** Date and time in full, for a title: `Thursday, November 20, 2026 at 10:31:05 AM`. */
export function fullTime(ts: string, style: TimeStyle = {}): string {
  return write(ts, style, { dateStyle: "full", timeStyle: "medium" });
}

/** `2026-11-20` in the reader's zone: two messages of one day have the same key. */
export function dayKey(ts: string, style: TimeStyle = {}): string {
  return write(ts, { ...style, locale: "sv-SE" }, { dateStyle: "short" });
}

function write(ts: string, { locale, timeZone }: TimeStyle, options: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
  return format.format(Number(ts) * 1000);
}

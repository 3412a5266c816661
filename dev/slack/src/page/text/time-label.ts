/** How to format a time. The defaults are the reader's locale, time zone and clock. */
export interface TimeStyle {
  locale?: string;
  timeZone?: string;
  /** Unix milliseconds. */
  now?: number;
}

const dayMs = 86_400_000;

/** Returns `10:31 AM`. `ts` is a Slack timestamp: Unix seconds with a fraction. */
export function clockTime(ts: string, style: TimeStyle = {}): string {
  return write(ts, style, { hour: "numeric", minute: "2-digit" });
}

/** Returns `Today`, `Yesterday`, or `Friday, November 14`, with the year unless it is the current one. */
export function dayLabel(ts: string, style: TimeStyle = {}): string {
  const now = style.now ?? Date.now();
  const day = dayKey(ts, style);
  if (day === dayKey(String(now / 1000), style)) return "Today";
  if (day === dayKey(String((now - dayMs) / 1000), style)) return "Yesterday";
  const sameYear = day.slice(0, 4) === dayKey(String(now / 1000), style).slice(0, 4);
  return write(ts, style, { weekday: "long", month: "long", day: "numeric", ...(sameYear ? {} : { year: "numeric" }) });
}

/** Returns the full date and time, for a title: `Thursday, November 20, 2026 at 10:31:05 AM`. */
export function fullTime(ts: string, style: TimeStyle = {}): string {
  return write(ts, style, { dateStyle: "full", timeStyle: "medium" });
}

/** Returns `2026-11-20` in the reader's time zone; messages of one day have the same key. */
export function dayKey(ts: string, style: TimeStyle = {}): string {
  return write(ts, { ...style, locale: "sv-SE" }, { dateStyle: "short" });
}

function write(ts: string, { locale, timeZone }: TimeStyle, options: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
  return format.format(Number(ts) * 1000);
}

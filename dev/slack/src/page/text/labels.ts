const avatarColors = ["#9b3d6e", "#2d6a9f", "#7a5195", "#a2522b", "#3c7340", "#8a5f00", "#56657a", "#1e7280"];

/** Returns the initials of the first and the last word of a name, e.g. `AL` for `Ada Lovelace`. */
export function initials(name: string): string {
  const letters = name.split(/[\s._-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [letters[0], ...letters.slice(1).slice(-1)].join("").toUpperCase() || "?";
}

/** Returns the color of an id, the same on every page load. */
export function avatarColor(id: string): string {
  const hash = Array.from(id, (letter) => letter.charCodeAt(0)).reduce((sum, code) => (sum * 31 + code) % 65_521, 7);
  return avatarColors[hash % avatarColors.length] ?? "";
}

/** Returns a number of bytes as `812 B`, `3.4 KB`, `12 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const thousands = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** thousands;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${["B", "KB", "MB", "GB"][thousands]}`;
}

const signs: Readonly<Record<string, string>> = { "+1": "👍", eyes: "👀", white_check_mark: "✅", tada: "🎉" };

/** The reactions that the page offers. */
export const reactionNames: readonly string[] = Object.keys(signs);

/** Returns the sign of an emoji, or its name if the page does not have it. */
export const emojiSign = (name: string): string => signs[name] ?? `:${name}:`;

const dayMs = 86_400_000;

/** Returns `10:31 AM`. `ts` is a Slack timestamp: Unix seconds with a fraction. Times have the reader's locale and time zone. */
export function clockTime(ts: string): string {
  return write(ts, { hour: "numeric", minute: "2-digit" });
}

/** Returns `Today`, `Yesterday`, or `Friday, November 14`, with the year unless it is the current one. */
export function dayLabel(ts: string): string {
  const now = Date.now();
  const day = dayKey(ts);
  const today = dayKey(String(now / 1000));
  if (day === today) return "Today";
  if (day === dayKey(String((now - dayMs) / 1000))) return "Yesterday";
  const sameYear = day.slice(0, 4) === today.slice(0, 4);
  return write(ts, { weekday: "long", month: "long", day: "numeric", ...(sameYear ? {} : { year: "numeric" }) });
}

/** Returns the full date and time, for a title: `Thursday, November 20, 2026 at 10:31:05 AM`. */
export function fullTime(ts: string): string {
  return write(ts, { dateStyle: "full", timeStyle: "medium" });
}

/** Returns `2026-11-20` in the reader's time zone; messages of one day have the same key. */
export function dayKey(ts: string): string {
  return write(ts, { dateStyle: "short" }, "sv-SE");
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Makes each format once: making one takes longer than all its uses in a list of messages. */
function write(ts: string, options: Intl.DateTimeFormatOptions, locale?: string): string {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format.format(Number(ts) * 1000);
}

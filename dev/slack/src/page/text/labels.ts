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

const formats = new Map<string, Intl.DateTimeFormat>();

/** Makes each format once: making one takes longer than all its uses in a list of messages. */
function write(ts: string, { locale, timeZone }: TimeStyle, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([locale, timeZone, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) });
  formats.set(key, format);
  return format.format(Number(ts) * 1000);
}

const characters: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  arrow_forward: "▶️",
  bulb: "💡",
  clock1: "🕐",
  eyes: "👀",
  fire: "🔥",
  gear: "⚙️",
  heart: "❤️",
  heavy_check_mark: "✔️",
  hourglass: "⌛",
  hourglass_flowing_sand: "⏳",
  information_source: "ℹ️",
  lock: "🔒",
  memo: "📝",
  no_entry: "⛔",
  octagonal_sign: "🛑",
  page_facing_up: "📄",
  paperclip: "📎",
  pray: "🙏",
  question: "❓",
  raised_hands: "🙌",
  robot_face: "🤖",
  rocket: "🚀",
  rotating_light: "🚨",
  smile: "😄",
  sparkles: "✨",
  tada: "🎉",
  thinking_face: "🤔",
  thumbsdown: "👎",
  thumbsup: "👍",
  wave: "👋",
  white_check_mark: "✅",
  x: "❌",
  zap: "⚡",
};

/** Returns the character of a Slack emoji name (without colons); undefined for unknown names. */
export function emojiCharacter(name: string): string | undefined {
  return Object.hasOwn(characters, name) ? characters[name] : undefined;
}

import { styleText } from "node:util";

/** One line of a zone's log, which is JSON. */
export interface LogEvent {
  readonly event?: unknown;
  readonly level?: unknown;
  readonly time?: number | string;
  readonly [member: string]: unknown;
}

/** Members that tell a person at a terminal nothing: the line names the zone, and the log of the zone has the rest. */
const withheld = new Set(["level", "time", "event", "zone", "pid", "hostname", "http_request_id"]);
const colors = { warn: "yellow", error: "red", fatal: "red" } as const;

/** Returns the event of a log line; undefined for any other line. */
export function readLogLine(text: string): LogEvent | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const event = JSON.parse(text) as LogEvent;
    return typeof event.event === "string" ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an event as people read it: the time, the level, the name and its members, such as `12:00:54 WARN run_ended state=failed`. */
export function shownEvent(event: LogEvent, isColored: boolean): string {
  const level = String(event.level);
  const color = isColored ? colors[level as keyof typeof colors] : undefined;
  const name = level.toUpperCase();
  const members = Object.entries(event).filter(([member, value]) => !withheld.has(member) && !isEmpty(value));
  const time = new Date(event.time ?? 0).toTimeString().slice(0, 8);
  const shown = members.map(([member, value]) => `${member}=${shownValue(value)}`);
  return [time, color ? styleText(color, name, { validateStream: false }) : name, event.event, ...shown].join(" ");
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Of an error only its words: the stack is for who has the source. Characters that people can't see are escaped. */
function shownValue(value: unknown): string {
  const words = (value as { readonly message?: unknown } | null)?.message ?? value;
  if (typeof words === "string" && /^[\w.:/@+-]+$/.test(words)) return words;
  return JSON.stringify(words).replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`,
  );
}

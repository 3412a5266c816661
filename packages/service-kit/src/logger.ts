import { pino } from "pino";
import { redact } from "./redact.ts";
import { writePerTurn, type LineWriter } from "./write-per-turn.ts";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** What a line says beside its event. The four names that every line carries belong to the logger. */
export interface LogFields {
  readonly [name: string]: unknown;
  readonly level?: never;
  readonly time?: never;
  readonly zone?: never;
  readonly event?: never;
}

export type Log<Event extends string> = (event: Event, fields?: LogFields) => void;

/**
 * Writes events of a closed list. A logger of many events fits where one of fewer is asked for, so an app hands its own
 * logger to a package that only knows its own events. No call ever throws.
 */
export interface Logger<Event extends string = string> {
  /** A logger whose every line has these fields too. */
  readonly child: (bindings: LogFields) => Logger<Event>;
  readonly debug: Log<Event>;
  readonly info: Log<Event>;
  readonly warn: Log<Event>;
  readonly error: Log<Event>;
}

export interface LoggerOptions<Event extends string> {
  readonly zone: string;
  /** Lines below this level are not written. */
  readonly level: LogLevel;
  /** The closed list of event names. A name outside of it, which only a cast can bring, is marked on its line. */
  readonly events: readonly Event[];
  /** Takes one JSON line with its line break at a time. Default: standard output, written at the end of a turn of the event loop. */
  readonly destination?: LineWriter;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes JSON lines `{level, time, zone, event, …}` with an ISO 8601 time to pino's destination. Everything passes through
 * `redact`, errors in any field included; pino's own line would read fields such as `err` and `method` in its own way.
 * A line that its destination refuses is lost: logging must not stop the work.
 */
export function createLogger<const Event extends string>({
  zone,
  level,
  events,
  // Synchronous, or lines are lost when the process ends, and one that nobody reads any more keeps it from ending at all.
  destination = writePerTurn(pino.destination({ dest: 1, sync: true })),
}: LoggerOptions<Event>): Logger<Event> {
  return withBindings({ destination, zone, level, events: new Set(events), time: createIsoTime() }, {});
}

/**
 * JSON leaves more than a line break as it is that ends a line for some reader of logs, or moves the cursor of a terminal: U+2028,
 * U+2029, DEL and the second set of control characters. https://www.rfc-editor.org/rfc/rfc8259#section-7
 */
function escapeControls(line: string): string {
  // Text of as many bytes as characters is ASCII, as most lines are: of these only DEL is in it, and a search costs ten times as much.
  if (Buffer.byteLength(line) === line.length && !line.includes("\u007f")) return line;
  return line.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface Sink {
  readonly destination: LineWriter;
  readonly zone: string;
  readonly level: LogLevel;
  readonly events: ReadonlySet<string>;
  readonly time: () => string;
}

function withBindings<Event extends string>(sink: Sink, bindings: Fields): Logger<Event> {
  const { destination, zone, events, time } = sink;
  const log = (level: Exclude<LogLevel, "silent">): Log<Event> => {
    if (logLevels.indexOf(level) < logLevels.indexOf(sink.level)) return () => undefined;
    return (event, fields) => {
      try {
        const known = events.has(event) ? { event } : { event: redact(event), event_unlisted: true };
        const line = { level, time: time(), zone, ...known, ...bindings, ...safeFields(fields) };
        destination.write(`${escapeControls(JSON.stringify(line))}\n`);
      } catch {
        // The destination threw. There is nowhere left to say so.
      }
    };
  };
  return {
    child: (more) => withBindings(sink, { ...bindings, ...safeFields(more) }),
    debug: log("debug"),
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
  };
}

/** The time now as ISO 8601. Many lines share a millisecond, and its text is half the cost of a line. */
function createIsoTime(): () => string {
  let at = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now === at) return text;
    at = now;
    text = new Date(now).toISOString();
    return text;
  };
}

const reserved = new Set(["level", "time", "zone", "event", "event_unlisted"]);

/** Redacts fields and keeps them off the names that the logger owns. */
function safeFields(fields: unknown): Fields {
  if (fields === undefined) return {};
  const safe = redact(fields);
  if (typeof safe !== "object" || safe === null || Array.isArray(safe)) return { fields: safe };
  const names = Object.keys(safe);
  if (!names.some((name) => reserved.has(name))) return safe as Fields;
  const renamed = Object.entries(safe).map(([name, value]) => [reserved.has(name) ? `field_${name}` : name, value]);
  return Object.fromEntries(renamed) as Fields;
}

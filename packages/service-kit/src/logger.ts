import { pino } from "pino";
import { redact } from "./redact.ts";

export const logLevels: readonly ["debug", "info", "warn", "error", "silent"] = [
  "debug",
  "info",
  "warn",
  "error",
  "silent",
];

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
  /** Takes one JSON line with its line break at a time. Default: standard output, written before the call returns. */
  readonly destination?: { write(line: string): void };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes JSON lines `{level, time, zone, event, …}` with an ISO 8601 time through pino. Everything passes through
 * `redact`, errors in any field included. A line that its destination refuses is lost: logging must not stop the work.
 */
export function createLogger<const Event extends string>(options: LoggerOptions<Event>): Logger<Event> {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: { zone: options.zone },
    timestamp: pino.stdTimeFunctions.isoTime,
    // The fields travel inside a wrapper: pino rewrites an object that looks like an HTTP request or has an `err`.
    formatters: { level: (level) => ({ level }), log: ({ line }) => line as Fields },
    serializers: { err: (error: unknown) => error },
  };
  // Synchronous, or lines are lost when the process ends, and one that nobody reads any more keeps it from ending at all.
  const destination = options.destination ?? pino.destination({ dest: 1, sync: true });
  const writer = pino(settings, { write: (line) => destination.write(escapeControls(line)) });
  return withBindings({ writer, events: new Set(options.events) }, {});
}

/**
 * JSON leaves more than a line break as it is that ends a line for some reader of logs, or moves the cursor of a terminal: U+2028,
 * U+2029, DEL and the second set of control characters. https://www.rfc-editor.org/rfc/rfc8259#section-7
 */
function escapeControls(line: string): string {
  return line.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface Sink {
  readonly writer: pino.Logger;
  readonly events: ReadonlySet<string>;
}

function withBindings<Event extends string>(sink: Sink, bindings: Fields): Logger<Event> {
  const log = (level: Exclude<LogLevel, "silent">): Log<Event> => {
    return (event, fields) => {
      try {
        if (!sink.writer.isLevelEnabled(level)) return;
        const known = sink.events.has(event) ? { event } : { event: redact(event), event_unlisted: true };
        sink.writer[level]({ line: { ...known, ...bindings, ...safeFields(fields) } });
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

const reserved = new Set(["level", "time", "zone", "event", "event_unlisted"]);

/** Redacts fields and keeps them off the names that the logger owns. */
function safeFields(fields: unknown): Fields {
  if (fields === undefined) return {};
  const safe = redact(fields);
  if (typeof safe !== "object" || safe === null || Array.isArray(safe)) return { fields: safe };
  const renamed = Object.entries(safe).map(([name, value]) => [reserved.has(name) ? `field_${name}` : name, value]);
  return Object.fromEntries(renamed) as Fields;
}

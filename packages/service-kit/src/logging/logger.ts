import type { EventDefinition } from "@crosszone/telemetry";
import { pino } from "pino";
import { createOutageFilter } from "./outages.ts";
import { redact } from "./redact.ts";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Fields of a line in addition to its event. The four names that every line has are reserved. */
export interface LogFields {
  readonly [name: string]: unknown;
  readonly level?: never;
  readonly time?: never;
  readonly zone?: never;
  readonly event?: never;
}

export type Log<Event extends string> = (event: Event, fields?: LogFields) => void;

/**
 * Writes events of a closed list. A logger with more events is assignable to one with fewer, so an app can pass its logger to a package. No
 * call ever throws.
 */
export interface Logger<Event extends string = string> {
  /** Returns a logger that adds these fields to every line. */
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
  /** The closed list of events, by name. A name outside of it, possible only with a cast, is marked on its line. */
  readonly events: Readonly<Record<Event, EventDefinition>>;
  /** Takes one JSON line with its line break at a time. Default: standard output, written at the end of a turn of the event loop. */
  readonly destination?: LineWriter;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes JSON lines `{level, time, zone, event, …}` with an ISO 8601 time. All fields pass through `redact`, including errors, so pino's
 * own serializers for fields such as `err` are not used. A line that the destination refuses is lost: logging must not stop the work.
 * Warnings of one outage are written once a minute.
 */
export function createLogger<Event extends string>({
  zone,
  level,
  events,
  // Synchronous: otherwise lines are lost when the process exits, or an unread pipe keeps it from exiting.
  destination = writePerTurn(pino.destination({ dest: 1, sync: true })),
}: LoggerOptions<Event>): Logger<Event> {
  const [names, time, filter] = [new Set(Object.keys(events)), createIsoTime(), createOutageFilter()];
  return withBindings({ destination, zone, level, events: names, time, filter }, {});
}

interface Sink {
  readonly destination: LineWriter;
  readonly zone: string;
  readonly level: LogLevel;
  readonly events: ReadonlySet<string>;
  readonly time: () => string;
  readonly filter: (line: Fields) => Fields | undefined;
}

function withBindings<Event extends string>(sink: Sink, bindings: Fields): Logger<Event> {
  const { destination, zone, events, time, filter } = sink;
  const log = (level: Exclude<LogLevel, "silent">): Log<Event> => {
    if (logLevels.indexOf(level) < logLevels.indexOf(sink.level)) return () => undefined;
    return (event, fields) => {
      try {
        const known = events.has(event) ? { event } : { event: redact(event), event_unlisted: true };
        const all = { level, time: time(), zone, ...known, ...bindings, ...safeFields(fields) };
        const line = level === "warn" || level === "error" ? filter(all) : all;
        if (line !== undefined) destination.write(`${escapeControls(JSON.stringify(line))}\n`);
      } catch {
        // The destination threw, so the failure can't be logged.
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

/** Redacts fields and renames those that the logger reserves. */
function safeFields(fields: unknown): Fields {
  if (fields === undefined) return {};
  const safe = redact(fields);
  if (typeof safe !== "object" || safe === null || Array.isArray(safe)) return { fields: safe };
  const names = Object.keys(safe);
  if (!names.some((name) => reserved.has(name))) return safe as Fields;
  const renamed = Object.entries(safe).map(([name, value]) => [reserved.has(name) ? `field_${name}` : name, value]);
  return Object.fromEntries(renamed) as Fields;
}

/** Accepts lines of text, each with its line break. */
export interface LineWriter {
  write(lines: string): void;
}

/**
 * Writes the lines of one turn of the event loop together: a system call costs as much as the rest of a line. Remaining lines are written
 * when the process exits. Only a process that is killed, or never finishes a turn, loses the lines of that turn. A line that the
 * destination refuses is lost.
 */
export function writePerTurn(destination: LineWriter): LineWriter {
  let waiting = "";
  const flush = (): void => {
    const lines = waiting;
    waiting = "";
    try {
      if (lines !== "") destination.write(lines);
    } catch {
      // The failure can't be logged.
    }
  };
  process.on("exit", flush);
  return {
    write: (lines) => {
      if (waiting === "") setImmediate(flush);
      waiting += lines;
    },
  };
}

/**
 * Escapes characters that JSON leaves as they are but that end a line for some log readers, or move the cursor of a terminal: U+2028,
 * U+2029, DEL and the C1 control characters. https://www.rfc-editor.org/rfc/rfc8259#section-7
 */
export function escapeControls(line: string): string {
  // A text with as many bytes as characters is ASCII, as most lines are. It can only contain DEL, and a regular expression costs ten times
  // as much.
  if (Buffer.byteLength(line) === line.length && !line.includes("\u007f")) return line;
  return line.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the time as ISO 8601. Many lines share a millisecond, and formatting it is half the cost of a line. */
export function createIsoTime(): () => string {
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

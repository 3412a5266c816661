import type { EventDefinition } from "@crosszone/telemetry";
import { pino } from "pino";
import { showUnseen } from "../values/text.ts";
import { redact, type RedactLimits } from "./redact.ts";

type Line = Readonly<Record<string, unknown>>;

/** How often one cause of an outage is logged, milliseconds. */
const onceMs = 60_000;

/** Code and words of errors of connections, of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and of SQLite. */
const outage =
  /^((E(AI_AGAIN|CONN|HOST|NET|NOTFOUND|PIPE|TIMEDOUT)|UND_ERR|(08|25P|53|57P|58)\w+ |25006 )| (Connection term|timeout ex|Query read t)|ERR_SQLITE\w* (disk I|database (is locked|or disk)))/;

/**
 * Returns a function for lines of warnings and errors. One about an outage has no stacks, and is left out if another one with its cause was
 * written in the last minute; the next one counts them in `left_out`. What one question, sender or agent met is written once for each.
 */
export function createOutageFilter(): (line: Line) => Line | undefined {
  const written = new Map<string, { readonly at: number; left_out: number }>();
  return (line) => {
    // `err` is that of a bug, or of the stop.
    const cause = "err" in line ? undefined : causeOf(line);
    if (cause === undefined) return line;
    const subject = line["correlation_id"] ?? line["address"] ?? line["agent_name"];
    const key = JSON.stringify([line["level"], cause, subject, subject && line["event"]]);
    const [now, last] = [performance.now(), written.get(key)];
    if (last !== undefined && now - last.at < onceMs) return void (last.left_out += 1);
    if (written.size >= 1_000) written.clear();
    written.set(key, { at: now, left_out: 0 });
    const all = { ...line, left_out: last?.left_out || undefined };
    return JSON.parse(JSON.stringify(all, (name, value: unknown) => (name === "stack" ? undefined : value))) as Line;
  };
}

/** Returns the code and the words of the first error of an outage in a line, or the kind of the failed call; undefined if there is none. */
function causeOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code = "", message, kind } = value as Line;
  const said = `${String(code)} ${String(message)}`;
  if (typeof message === "string" && outage.test(said)) return said;
  const within = Object.values(value)
    .map(causeOf)
    .find((cause) => cause !== undefined);
  return within ?? /^(zone_unavailable$|link_.*)/.exec(String(kind))?.[0];
}

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

/** The log of a level that is not written: what a line would say needs not be made. */
export const unwritten: Log<string> = () => undefined;

/** The most of a content in a line that is no debug line, UTF-16 units. */
const mostContent = 200;

/** Returns the beginning of a content: of its text, if it has one. */
function beginningOf(content: unknown): string {
  const safe = redact(content);
  const { text } = Object(safe) as { readonly text?: unknown };
  const said = typeof text === "string" ? text : safe;
  const shown = typeof said === "string" ? said : (JSON.stringify(said) ?? "");
  return shown.length > mostContent ? `${shown.slice(0, mostContent).toWellFormed()}…` : shown;
}

interface LoggerOptions<Event extends string> {
  readonly zone: string;
  /** Lines below this level are not written. */
  readonly level: LogLevel;
  /** The closed list of events, by name. A name outside of it, possible only with a cast, is marked on its line. */
  readonly events: Readonly<Record<Event, EventDefinition>>;
  /** Whether lines have the content of others: fields of the type `content`, and errors that quote (default true). */
  readonly content?: boolean;
  /** Takes one JSON line with its line break at a time. Default: standard output, written at the end of a turn of the event loop. */
  readonly destination?: LineWriter;
}

/**
 * Writes JSON lines `{level, time, zone, event, …}` with an ISO 8601 time. All fields pass through `redact`, including errors, so pino's
 * own serializers for fields such as `err` are not used. A line that the destination refuses is lost: logging must not stop the work.
 * Warnings of one outage are written once a minute.
 */
export function createLogger<Event extends string>({
  zone,
  level,
  events,
  content = true,
  // Synchronous: otherwise lines are lost when the process exits, or an unread pipe keeps it from exiting.
  destination = writePerTurn(pino.destination({ dest: 1, sync: true })),
}: LoggerOptions<Event>): Logger<Event> {
  const [names, time, filter] = [new Set(Object.keys(events)), createIsoTime(), createOutageFilter()];
  const limits = { quotes: content };
  const contents = new Map(
    Object.entries<EventDefinition>(events).map(([event, { fields }]) => {
      const all = Object.entries(fields).filter(([, type]) => type === "content");
      return [event, all.map(([name]) => name.replace("?", ""))];
    }),
  );
  /** Shortens or leaves out the contents of an event. */
  const shownOf = (event: string, of: LogLevel, fields: LogFields | undefined): LogFields | undefined => {
    const found = (contents.get(event) ?? []).filter((name) => fields?.[name] !== undefined);
    if (found.length === 0 || (content && of === "debug")) return fields;
    const shown = found.map((name) => [name, content ? beginningOf(fields?.[name]) : undefined]);
    return { ...fields, ...(Object.fromEntries(shown) as LogFields) };
  };

  function withBindings(bindings: Line): Logger<Event> {
    const log = (of: Exclude<LogLevel, "silent">): Log<Event> => {
      if (logLevels.indexOf(of) < logLevels.indexOf(level)) return unwritten;
      return (event, fields) => {
        try {
          const known = names.has(event) ? { event } : { event: redact(event), event_unlisted: true };
          const all = {
            level: of,
            time: time(),
            zone,
            ...known,
            ...bindings,
            ...safeFields(shownOf(event, of, fields), limits),
          };
          const line = of === "warn" || of === "error" ? filter(all) : all;
          if (line !== undefined) destination.write(`${escapeUnseen(JSON.stringify(line))}\n`);
        } catch {
          // The destination threw, so the failure can't be logged.
        }
      };
    };
    return {
      child: (more) => withBindings({ ...bindings, ...safeFields(more, limits) }),
      debug: log("debug"),
      info: log("info"),
      warn: log("warn"),
      error: log("error"),
    };
  }

  return withBindings({});
}

const reserved = new Set(["level", "time", "zone", "event", "event_unlisted"]);

/** Redacts fields and renames those that the logger reserves. */
function safeFields(fields: unknown, limits: RedactLimits): Line {
  if (fields === undefined) return {};
  const safe = redact(fields, limits);
  if (typeof safe !== "object" || safe === null || Array.isArray(safe)) return { fields: safe };
  const names = Object.keys(safe);
  if (!names.some((name) => reserved.has(name))) return safe as Line;
  const renamed = Object.entries(safe).map(([name, value]) => [reserved.has(name) ? `field_${name}` : name, value]);
  return Object.fromEntries(renamed) as Line;
}

/** Accepts lines of text, each with its line break. */
interface LineWriter {
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
 * Escapes characters that JSON leaves as they are but that end a line for some log readers, move the cursor of a terminal, or change the order
 * of other characters. https://www.rfc-editor.org/rfc/rfc8259#section-7
 */
function escapeUnseen(line: string): string {
  // A text with as many bytes as characters is ASCII, as most lines are. It can only contain DEL, and a regular expression costs ten times
  // as much.
  return Buffer.byteLength(line) === line.length && !line.includes("\u007f") ? line : showUnseen(line);
}

/** Returns the time as ISO 8601. Many lines share a millisecond, and formatting it is half the cost of a line. */
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

import { readFile, writeFile } from "node:fs/promises";
import { isTimestamp, type isTaskState, type Validator } from "@crosszone/contracts";
import type { ListFilter, PageOptions, TimeRange } from "../api/send.ts";
import { harmlessLine } from "../text/terminal-text.ts";
import { jsonOption } from "./command.ts";
import { didYouMean, UsageError } from "./session.ts";

/** Shared by every command that lists. */
export const pageOptions = {
  limit: { flags: "--limit <count>", help: "maximum number of rows (default: 20)" },
  cursor: { flags: "--cursor <cursor>", help: "the next page: the cursor below the page before" },
} as const;

interface PageValues {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The line below a list with a next page, which `--cursor` shows; empty without one. */
export const cursorNotice = (next: string | undefined): string =>
  next === undefined ? "" : `There are older ones: --cursor ${next} shows them.\n`;

/** Reads `--limit` and `--cursor`. Throws a `UsageError` for an invalid number. */
export function readPage({ limit = "20", cursor }: PageValues): PageOptions {
  return { limit: readNumber("--limit", limit, [1]), cursor };
}

/** Returns the whole number of an option, such as a port. Throws a `UsageError` for any text that is none in the range. */
export function readNumber(option: string, text: string, [least, most = Infinity]: readonly [number, number?]): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most && Number.isSafeInteger(value)) return value;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`${option} must be a whole number ${range}, got "${text}".`);
}

/** Returns the line below a partial list; empty when the list is complete. */
export function pageNotice(
  { total, next_cursor: next }: { readonly total: number; readonly next_cursor?: string },
  shown: number,
): string {
  if (shown === total) return "";
  return `${shown} of ${total}${next === undefined ? "" : `; --cursor ${next} shows the next`}.\n`;
}

type NameValidator<Name> = Validator<Name> & { readonly schema: (typeof isTaskState)["schema"] };

/** Returns the names that a validator of the contract accepts. */
export const namesOf = <Name extends string>({ schema }: NameValidator<Name>): readonly Name[] =>
  schema.enum as readonly Name[];

/** Reads `--state`; undefined when it is absent. Throws a `UsageError` with all states for any other. */
export const readState = <Name extends string>(text: string | undefined, is: NameValidator<Name>): Name | undefined =>
  text === undefined ? undefined : readName("--state", text, is);

/** Returns the name that an option has. Throws a `UsageError` with all names for any other. */
export function readName<Name extends string>(option: string, text: string, is: NameValidator<Name>): Name {
  if (is(text)) return text;
  const names = namesOf(is);
  throw new UsageError(`${option} must be one of ${names.join(", ")}.${didYouMean(text, names)}`);
}

/** Throws a `UsageError` unless an argument is a URL of HTTP. */
export function checkUrl(argument: string, url: string): void {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`${argument} must start with http:// or https://, got "${harmlessLine(url)}".`);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, "": 1_000 };

/** The limits of the contract, milliseconds. */
const leastMs = 100;
const mostMs = 604_800_000;

/**
 * Parses `90`, `90s`, `5m`, `2h` or `500ms` and returns milliseconds. A number without a unit is seconds. Throws a `UsageError` for
 * anything else.
 */
export function readDuration(option: string, text: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = amount === undefined ? NaN : Math.round(Number(amount) * (units[unit] ?? NaN));
  if (ms >= leastMs && ms <= mostMs) return ms;
  throw new UsageError(`${option} must be a duration from 100ms to 168h, such as 30s, 5m or 1h, got "${text}".`);
}

/** Shared by every command with a time range. */
export const rangeOptions = {
  since: {
    flags: "--since <time>",
    help: "start: 10m, 2h or 7d ago, today, yesterday, 10:30, 2026-11-01 or 2026-11-01T08:00:00Z (default: this month)",
  },
  until: {
    flags: "--until <time>",
    help: "end, exclusive, in the same forms (default: now)",
  },
  month: { flags: "--month <month>", help: "a whole month, such as 2026-11; instead of --since and --until" },
} as const;

/** What narrows a list of what people ask. */
export const narrowOptions = {
  person: { flags: "--person <person>", help: "only of this person: a Slack id, a name or a word of it; or token:ci" },
  since: { ...rangeOptions.since, help: rangeOptions.since.help.replace(" (default: this month)", "") },
  until: rangeOptions.until,
  waiting: { flags: "--waiting", help: "only what waits for people" },
} as const;

/** Of lists of what can be at work without waiting for people. */
export const openOption = { open: { flags: "--open", help: "only what has not ended" } } as const;

/** Shared by every list of what people ask; read with `readList`. */
export const listOptions = { ...narrowOptions, ...pageOptions, json: jsonOption } as const;

/** Reads the options of a range; `now` in milliseconds since 1970. Throws a `UsageError` for an invalid time. */
export function readRange(
  { since, until, month }: TimeRange & { readonly month?: string },
  now: number = Date.now(),
): TimeRange {
  if (month === undefined) {
    const from = since === undefined ? undefined : readMoment("--since", since, { now });
    const to = until === undefined ? undefined : readMoment("--until", until, { now, after: from });
    if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
      throw new UsageError(`--since must be before --until, got ${from} and ${to}.`);
    return { since: from, until: to };
  }
  if (since !== undefined || until !== undefined)
    throw new UsageError("--month can't be combined with --since or --until.");
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw new UsageError(`--month must be a month, such as 2026-11, got "${month}".`);
  const at = (months: number): string => new Date(Date.UTC(Number(year), Number(number) - 1 + months)).toISOString();
  return { since: at(0), until: at(1) };
}

/** Of a list that is read page by page from a cursor; read with `readList`. */
export const cursorOptions = {
  ...narrowOptions,
  ...pageOptions,
  json: jsonOption,
} as const;

/** Reads `cursorOptions` or `listOptions`. Throws a `UsageError` for an invalid time or number. */
export function readList({ person, open, since, until, ...page }: PageValues & ListFilter) {
  return { ...readPage(page), ...readRange({ since, until }), person, open };
}

const ago: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const day = 86_400_000;

/** Parses `30d` or `12h` and returns seconds. Throws a `UsageError` for anything else. */
export function readLifetime(option: string, text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return (Number(count) * (ago[unit] ?? 0)) / 1_000;
  throw new UsageError(`${option} must be a lifetime, such as 30d or 12h, got "${text}".`);
}

/** Reads a time. A clock time is the last one of this machine's clock, or the first after `after`. */
function readMoment(
  option: string,
  text: string,
  { now, after }: { readonly now: number; readonly after?: string | undefined },
): string {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (ago[unit] ?? 0)).toISOString();
  const days = ["today", "yesterday"].indexOf(text);
  if (days >= 0) return new Date(new Date(now - days * day).setHours(0, 0, 0, 0)).toISOString();
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) {
    const today = new Date(now).setHours(Number(hours), Number(minutes), 0, 0);
    const last = today > now ? today - day : today;
    return new Date(after !== undefined && last <= Date.parse(after) ? last + day : last).toISOString();
  }
  const timestamp = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (isTimestamp(timestamp)) return timestamp;
  throw new UsageError(
    `${option} must be a time, such as 10m, 2h or 7d ago, today, 10:30 on this machine's clock, or in UTC 2026-11-01 or 2026-11-01T08:00:00Z, got "${text}".`,
  );
}

/** Writes the file that an option names. Throws a `UsageError` when it can't be written. */
export async function writeReport(option: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option}: can't write "${path}": ${reason}`, { cause: error });
  }
}

/** Reads the file that an argument names. Throws a `UsageError` when it can't be read. */
export function readGiven(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  });
}

/** Reads `--header "Name: value"`. Throws a `UsageError` that never has a value. */
export function readHeaders(lines: readonly string[] = []): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:\s]+):\s*(.+)$/.exec(line) ?? [];
    try {
      headers.append(name, value);
    } catch (error) {
      throw new UsageError('--header must be "Name: value", such as "X-Api-Key: …".', { cause: error });
    }
  }
  return headers;
}

import { writeFile } from "node:fs/promises";
import { isTimestamp, type isTaskState, type Validator } from "@crosszone/contracts";
import type { Page } from "../api/send.ts";
import { harmlessLine } from "../text/terminal-text.ts";
import { didYouMean, UsageError } from "./errors.ts";

/** Shared by every command that lists. */
export const pageOptions = {
  limit: { flags: "--limit <count>", help: "maximum number of rows (default: 20)" },
  offset: { flags: "--offset <count>", help: "number of rows to skip" },
} as const;

/** Reads `--limit` and `--offset`. Throws a `UsageError` for invalid numbers. */
export function readPage(values: { readonly limit?: string | undefined; readonly offset?: string | undefined }): Page {
  return {
    limit: readNumber("--limit", values.limit ?? "20", 1),
    offset: readNumber("--offset", values.offset ?? "0", 0),
  };
}

function readNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && Number.isSafeInteger(value)) return value;
  throw new UsageError(`${option} must be a whole number of at least ${least}, got "${text}".`);
}

/** Returns the line below a partial list; empty when the list is complete. */
export function pageNotice(
  { total, offset }: { readonly total: number; readonly offset: number },
  shown: number,
): string {
  if (shown === total) return "";
  return shown === 0
    ? `None of ${total}.\n`
    : `${offset + 1} to ${offset + shown} of ${total}; --limit and --offset show others.\n`;
}

type NameValidator<Name> = Validator<Name> & Pick<typeof isTaskState, "schema">;

/** Returns the names that a validator of the contract accepts. */
export const namesOf = <Name extends string>({ schema }: NameValidator<Name>): readonly Name[] =>
  schema.enum as readonly Name[];

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

/** Returns the number of an option, such as a port. Throws a `UsageError` when it is not a whole number from 1 to `most`. */
export function readCount(option: string, text: string, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new UsageError(`${option} must be a whole number from 1 to ${most}, got "${text}".`);
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
    help: "start: 2026-11-01, 2026-11-01T08:00:00Z, or 7d or 12h ago (default: this month)",
  },
  until: {
    flags: "--until <time>",
    help: "end, exclusive, in the same forms (default: now)",
  },
  month: { flags: "--month <month>", help: "a whole month, such as 2026-11; instead of --since and --until" },
} as const;

interface TimeRange {
  /** RFC 3339, UTC. */
  readonly since?: string;
  readonly until?: string;
}

interface RangeValues extends TimeRange {
  readonly month?: string;
}

/** Reads the options of a range; `now` in milliseconds since 1970. Throws a `UsageError` for an invalid time. */
export function readRange({ since, until, month }: RangeValues, now: number = Date.now()): TimeRange {
  if (month === undefined)
    return {
      ...(since !== undefined && { since: readMoment("--since", since, now) }),
      ...(until !== undefined && { until: readMoment("--until", until, now) }),
    };
  if (since !== undefined || until !== undefined)
    throw new UsageError("--month can't be combined with --since or --until.");
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw new UsageError(`--month must be a month, such as 2026-11, got "${month}".`);
  const at = (months: number): string => new Date(Date.UTC(Number(year), Number(number) - 1 + months)).toISOString();
  return { since: at(0), until: at(1) };
}

const ago: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** Parses `30d` or `12h` and returns seconds. Throws a `UsageError` for anything else. */
export function readLifetime(option: string, text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return (Number(count) * (ago[unit] ?? 0)) / 1_000;
  throw new UsageError(`${option} must be a lifetime, such as 30d or 12h, got "${text}".`);
}

function readMoment(option: string, text: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (ago[unit] ?? 0)).toISOString();
  const timestamp = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (isTimestamp(timestamp)) return timestamp;
  throw new UsageError(
    `${option} must be a day or a time in UTC, such as 2026-11-01 or 2026-11-01T08:00:00Z, or 7d or 12h ago, got "${text}".`,
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

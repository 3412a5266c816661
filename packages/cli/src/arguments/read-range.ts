import { isTimestamp } from "@crosszone/contracts";
import { UsageError } from "./usage-error.ts";

/** Shared by every command with a time range. */
export const rangeOptions = {
  since: {
    type: "string",
    value: "<time>",
    help: "start: 2026-11-01, 2026-11-01T08:00:00Z, or 7d or 12h ago (default: this month)",
  },
  until: {
    type: "string",
    value: "<time>",
    help: "end, exclusive, in the same forms (default: now)",
  },
  month: { type: "string", value: "<month>", help: "a whole month, such as 2026-11; instead of --since and --until" },
} as const;

export interface TimeRange {
  /** RFC 3339, UTC. */
  readonly since?: string;
  readonly until?: string;
}

interface RangeValues {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly month?: string | undefined;
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

function readMoment(option: string, text: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (ago[unit] ?? 0)).toISOString();
  const timestamp = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (isTimestamp(timestamp)) return timestamp;
  throw new UsageError(
    `${option} must be a day or a time in UTC, such as 2026-11-01 or 2026-11-01T08:00:00Z, or 7d or 12h ago, got "${text}".`,
  );
}

import { UsageError } from "./usage-error.ts";

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

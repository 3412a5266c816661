import { UsageError } from "./usage-error.ts";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, "": 1_000 };

/** The bounds of the contract, milliseconds. */
const leastMs = 100;
const mostMs = 604_800_000;

/** Milliseconds of `90`, `90s`, `5m`, `2h` or `500ms`; a number alone is seconds. */
export function readDuration(option: string, text: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = amount === undefined ? NaN : Math.round(Number(amount) * (units[unit] ?? NaN));
  if (ms >= leastMs && ms <= mostMs) return ms;
  throw new UsageError(`${option} must be a time from 100ms to 168h, as in 30s, 5m or 1h; it is "${text}".`);
}

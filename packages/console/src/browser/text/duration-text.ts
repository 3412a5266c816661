/** Formats a duration with at most two units. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${String(Math.max(0, Math.round(ms)))} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return joined([days, "d"], [hours, "h"]);
  if (hours > 0) return joined([hours, "h"], [minutes, "min"]);
  return joined([minutes, "min"], [seconds % 60, "s"]);
}

/** The start and end of an activity, as the API returns them. */
interface Span {
  readonly started_at?: string;
  readonly ended_at?: string;
}

/** Formats how long something took, or has taken so far; undefined before it started. */
export function spanText(span: Span, now: number): string | undefined {
  const ms = spanMs(span, now);
  if (ms === undefined) return undefined;
  return span.ended_at === undefined ? clockText(ms) : durationText(ms);
}

/** The same in milliseconds. */
export function spanMs({ started_at, ended_at }: Span, now: number): number | undefined {
  if (started_at === undefined) return undefined;
  return (ended_at === undefined ? now : Date.parse(ended_at)) - Date.parse(started_at);
}

/** The time of day, to the second. */
export const timeText = (time: string): string => new Date(time).toLocaleTimeString(undefined, { hour12: false });

/** Formats the distance of a time from now. */
export function fromNowText(time: string, now: number): string {
  const ms = Date.parse(time) - now;
  if (Math.abs(ms) < 1_000) return "now";
  return ms < 0 ? `${clockText(-ms)} ago` : `in ${clockText(ms)}`;
}

/** Formats a duration that still grows. Below a minute it shows whole seconds: fractions would flicker. */
export function clockText(ms: number): string {
  return ms < 60_000 ? `${String(Math.floor(Math.max(0, ms) / 1_000))} s` : durationText(ms);
}

function joined([large, largeUnit]: Amount, [small, smallUnit]: Amount): string {
  return small === 0 ? `${String(large)} ${largeUnit}` : `${String(large)} ${largeUnit} ${String(small)} ${smallUnit}`;
}

type Amount = readonly [amount: number, unit: string];

/** Formats milliseconds: `0.4s`, `12s`, `3m 05s`, `2h 00m`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

interface Span {
  readonly started_at?: string;
  readonly ended_at?: string;
}

/** Returns how long a run or a step took; empty when it has not started or not ended. */
export function tookOf({ started_at, ended_at }: Span): string {
  return started_at && ended_at ? duration(Date.parse(ended_at) - Date.parse(started_at)) : "";
}

/** Like `tookOf`, but for a running one returns the time so far; `now` in milliseconds since 1970. */
export function takesOf(span: Span, now: number = Date.now()): string {
  const { started_at, ended_at } = span;
  return started_at && !ended_at ? `${duration(now - Date.parse(started_at))} so far` : tookOf(span);
}

/** Returns a state; for a final state, also how long it took. */
export function stateText({ state, ...span }: Span & { readonly state: string }): string {
  const took = tookOf(span);
  return took === "" ? state : `${state} after ${took}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

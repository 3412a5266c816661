/** Makes Slack's message timestamps. */
export interface SlackClock {
  /** The next `ts`: seconds with six decimals, never the same twice and always growing, also as a string. */
  ts(): string;
  /** Now, in whole Unix seconds. */
  seconds(): number;
}

/** A clock over `Date.now`. Two calls in one millisecond still get different timestamps, as Slack needs them for identity. */
export function createSlackClock(now: () => number = Date.now): SlackClock {
  let last = 0;
  return {
    ts: () => {
      last = Math.max(last + 1, now() * 1000);
      return `${String(Math.floor(last / 1e6)).padStart(10, "0")}.${String(last % 1e6).padStart(6, "0")}`;
    },
    seconds: () => Math.floor(now() / 1000),
  };
}

/** True for a string that has the form of a message timestamp. */
export function isTimestamp(value: string): boolean {
  return /^\d{10}\.\d{6}$/.test(value);
}

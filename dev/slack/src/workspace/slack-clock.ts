import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns a new id in Slack's format: the prefix (`F`, `Ev`, `D`…) and upper-case letters and digits, eleven characters in total. */
export function newSlackId(prefix: string): string {
  return `${prefix}0${randomText(10 - prefix.length)}`;
}

/** Returns a text of this many random upper-case letters and digits. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

/** Makes Slack's message timestamps. */
export interface SlackClock {
  /** Returns the next `ts`: seconds with six decimals, unique and always increasing, also when compared as strings. */
  ts(): string;
  /** Returns the current time in whole Unix seconds. */
  seconds(): number;
}

/** Makes a clock from `Date.now`. Two calls in one millisecond return different timestamps, as Slack requires for identity. */
export function createSlackClock(): SlackClock {
  let last = 0;
  return {
    ts: () => {
      last = Math.max(last + 1, Date.now() * 1000);
      return `${String(Math.floor(last / 1e6)).padStart(10, "0")}.${String(last % 1e6).padStart(6, "0")}`;
    },
    seconds: () => Math.floor(Date.now() / 1000),
  };
}

/** Returns true if a string has the format of a message timestamp. */
export function isTimestamp(value: string): boolean {
  return /^\d{10}\.\d{6}$/.test(value);
}

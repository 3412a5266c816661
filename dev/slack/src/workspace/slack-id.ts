import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns a new id in Slack's format: the prefix (`F`, `Ev`, `D`…) and upper-case letters and digits, eleven characters in total. */
export function newSlackId(prefix: string): string {
  let id = prefix + "0";
  while (id.length < 11) id += ALPHABET.charAt(randomInt(ALPHABET.length));
  return id;
}

import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A fresh id of Slack's form: the prefix (`F`, `Ev`, `D`…) and upper-case letters and digits, eleven in all. */
export function newSlackId(prefix: string): string {
  let id = prefix + "0";
  while (id.length < 11) id += ALPHABET.charAt(randomInt(ALPHABET.length));
  return id;
}

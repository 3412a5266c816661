import type { Check, Members } from "./check.ts";

/** A rule of one keyword: a value for which it does not hold fails with the message. */
export function rule<Value>(
  keyword: string,
  params: Record<string, unknown>,
  ...[holds, message]: [holds: (value: Value) => boolean, message: string]
): Check {
  return (value, failures) => {
    if (!holds(value as Value)) failures.push({ instancePath: "", keyword, params, message });
  };
}

export function compared(
  ...[keyword, comparison, limit, holds]: [string, string, limit: number, holds: (value: number) => boolean]
): Check {
  return rule(keyword, { comparison, limit }, holds, `must be ${comparison} ${limit}`);
}

export function most<Value>(keyword: string, limit: number, ...[size, of]: [(value: Value) => number, string]): Check {
  return rule(keyword, { limit }, (value: Value) => size(value) <= limit, `must NOT have more than ${limit} ${of}`);
}

export function fewest<Value>(
  keyword: string,
  limit: number,
  ...[size, of]: [(value: Value) => number, string]
): Check {
  return rule(keyword, { limit }, (value: Value) => size(value) >= limit, `must NOT have fewer than ${limit} ${of}`);
}

export const lengthOf = (items: readonly unknown[]): number => items.length;
export const countOf = (members: Members): number => Object.keys(members).length;

/** Returns the length of a string in code points, as in JSON Schema. */
export function codePoints(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (!isPair) continue;
    length--;
    i++;
  }
  return length;
}

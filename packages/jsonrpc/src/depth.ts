import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./json-bytes.ts";

/**
 * Returns true if a parsed JSON value nests arrays and objects in more than `levels` levels. Never recurses deeper than `levels`, and
 * visits each value once; long strings cost nothing.
 */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && deeperThan(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    const member: unknown = value[key as never];
    if (typeof member === "object" && deeperThan(member, levels - 1)) return true;
  }
  return false;
}

/**
 * Returns true if bytes, read as JSON in UTF-8, open more than `levels` nested arrays and objects. They need not be valid JSON. Stops at
 * the first excess level: JSON.parse would read a megabyte of brackets to its end.
 */
export function opensDeeperThan(bytes: Uint8Array, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      while (++at < bytes.length && bytes[at] !== quote) if (bytes[at] === backslash) at++;
    } else if (byte === openBracket || byte === openBrace) {
      if (++depth > levels) return true;
    } else if (byte === closeBracket || byte === closeBrace) depth--;
  }
  return false;
}

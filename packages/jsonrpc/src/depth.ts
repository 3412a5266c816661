import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./json-bytes.ts";

/**
 * Tells whether a parsed JSON value nests arrays and objects in more than `levels` levels. Never recurses deeper than `levels`,
 * and costs one visit a value: nothing for long strings.
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
 * Tells whether bytes open more than `levels` arrays and objects within each other, when they are read as JSON in UTF-8. They need
 * not be JSON. One pass that ends at the first level too many: JSON.parse would go through a megabyte of brackets to its end.
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

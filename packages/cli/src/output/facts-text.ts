import { harmlessLine } from "./harmless.ts";

/** Returns lines with a label and a value each, the values aligned. Undefined values are left out. */
export function factsText(facts: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([label]) => label.length)) + 2;
  return known.map(([label, value = ""]) => `${`${label.padEnd(width)}${harmlessLine(value)}`.trimEnd()}\n`).join("");
}

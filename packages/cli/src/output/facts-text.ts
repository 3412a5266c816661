import { harmlessLine } from "./harmless.ts";

/** Lines of a label and a value each, the values below each other. What is undefined is left out. */
export function factsText(facts: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([label]) => label.length)) + 2;
  return known.map(([label, value = ""]) => `${`${label.padEnd(width)}${harmlessLine(value)}`.trimEnd()}\n`).join("");
}

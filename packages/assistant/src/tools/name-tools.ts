import { hash } from "node:crypto";

/** The longest name that every provider takes. */
const longest = 64;

/**
 * Gives each tool the name that the model calls it by: letters, digits, `_` and `-`, at most 64, unique. A name does not depend on the order
 * of the tools: one that had to be changed ends in a hash of the original.
 */
export function nameTools<T extends { readonly name: string }>(tools: readonly T[]): Map<string, T> {
  const named = new Map<string, T>();
  for (const tool of tools) {
    const name = toolName(tool.name);
    if (!named.has(name)) named.set(name, tool);
  }
  return named;
}

function toolName(name: string): string {
  if (/^[A-Za-z][\w-]*$/.test(name) && name.length <= longest) return name;
  const plain = name.replaceAll(/[^\w-]+/g, "_").replace(/^[^A-Za-z]+/, "") || "tool";
  return `${plain.slice(0, longest - 9)}_${hash("sha256", name, "hex").slice(0, 8)}`;
}

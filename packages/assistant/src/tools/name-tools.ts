import { hash } from "node:crypto";

/** The longest name that every provider accepts. */
const longest = 64;

/**
 * Returns the tools by the names that the model uses: letters, digits, `_` and `-`, at most 64, unique. Names don't
 * depend on the tools' order: a changed name ends in a hash of the original.
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

import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { WorkflowFault } from "../workflow-fault.ts";

/** Length of a text times length of what is looked for in it. A search of more could take minutes, and nothing can interrupt one. */
const mostWork = 1_000_000_000;

/** What is short counts as so long: what a long text is split into takes memory. */
const leastLength = 100;

const searches = {
  "contains(string): bool": (text: string, wanted: string) => text.includes(wanted),
  "indexOf(string): int": (text: string, wanted: string) => BigInt(text.indexOf(wanted)),
  "lastIndexOf(string): int": (text: string, wanted: string) => BigInt(text.lastIndexOf(wanted)),
  "split(string): list<string>": (text: string, wanted: string) => text.split(wanted),
};
const names = new Set(Object.keys(searches).map((signature) => signature.slice(0, signature.indexOf("("))));

/** What CEL searches texts with cannot be replaced under its own name. */
const prefix = "bounded_";

/** Adds searches that give up what would take too long, for `boundSearch` to put in. */
export function registerBoundedSearches(environment: Environment): void {
  for (const [signature, search] of Object.entries(searches)) {
    environment.registerFunction(`string.${prefix}${signature}`, (text: string, wanted: string) => {
      if (text.length * Math.max(wanted.length, leastLength) <= mostWork) return search(text, wanted);
      const lengths = `a text of ${String(wanted.length)} characters in one of ${String(text.length)}`;
      throw new WorkflowFault("condition_failed", `it looks for ${lengths}, which could take too long`);
    });
  }
}

/** Makes a call that searches a text a bounded one. Gives why it is refused, if it is. */
export function boundSearch(call: ASTNode & { readonly op: "rcall" }): string | undefined {
  const [name, , given] = call.args;
  if (!names.has(name)) return undefined;
  if (given.length > 1) return `${name}() takes no position here; take a substring() first`;
  call.args[0] = prefix + name;
  return undefined;
}

/** What the language says of a call, with the name that its author knows. */
export const withAuthorsNames = (text: string): string => text.replaceAll(prefix, "");

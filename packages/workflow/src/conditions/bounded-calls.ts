import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { WorkflowFault } from "../workflow-fault.ts";
import { allow, itemsLeft, spend } from "./condition-budget.ts";

/** Length of a text times length of what is looked for in it. A search of more could take minutes, and nothing can interrupt one. */
const mostWork = 1_000_000_000;

/** What is short counts as so long: what a long text is split into takes memory. */
const leastLength = 100;

const searches = {
  "string.contains(string): bool": (text: string, wanted: string) => text.includes(wanted),
  "string.indexOf(string): int": (text: string, wanted: string) => BigInt(text.indexOf(wanted)),
  "string.lastIndexOf(string): int": (text: string, wanted: string) => BigInt(text.lastIndexOf(wanted)),
  // One more than there is room for, so that too many are noticed.
  "string.split(string): list<string>": (text: string, wanted: string) => text.split(wanted, itemsLeft() + 1),
};

/** What makes much of little at once, before what it makes can be counted. */
const makers = {
  "list<string>.join(): string": (texts: readonly string[]) => join(texts, ""),
  "list<string>.join(string): string": join,
  "bytes.json(): map": (bytes: Uint8Array) => {
    // A character may be a list of its own.
    spend(bytes.length * 10);
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  },
};

const nameOf = (signature: string): string => /(\w+)\(/.exec(signature)?.[1] ?? "";
const namesOf = (calls: object): ReadonlySet<string> => new Set(Object.keys(calls).map(nameOf));
const [searchNames, makerNames] = [namesOf(searches), namesOf(makers)];

/** What CEL has cannot be replaced under its own name. */
const prefix = "bounded_";

/** Adds calls that give up what would take too long or too much, for `boundCall` to put in. */
export function registerBoundedCalls(environment: Environment): void {
  const register = (signature: string, call: (...given: never[]) => unknown): void =>
    void environment.registerFunction(signature.replace(/(\w+)\(/, `${prefix}$1(`), call);
  for (const [signature, make] of Object.entries(makers)) register(signature, make);
  for (const [signature, search] of Object.entries(searches))
    register(signature, (text: string, wanted: string) => {
      if (text.length * Math.max(wanted.length, leastLength) <= mostWork) return search(text, wanted);
      const lengths = `a text of ${String(wanted.length)} characters in one of ${String(text.length)}`;
      throw new WorkflowFault("condition_failed", `it looks for ${lengths}, which could take too long`);
    });
}

/** Makes a call that could take too long or too much a bounded one. Gives why it is refused, if it is. */
export function boundCall(call: ASTNode & { readonly op: "rcall" }): string | undefined {
  const [name, , given] = call.args;
  if (searchNames.has(name) && given.length > 1) return `${name}() takes no position here; take a substring() first`;
  if (searchNames.has(name) || makerNames.has(name)) call.args[0] = prefix + name;
  return undefined;
}

/** What the language says of a call, with the name that its author knows. */
export const withAuthorsNames = (text: string): string => text.replaceAll(prefix, "");

function join(texts: readonly string[], between: string): string {
  if (texts.some((text) => typeof text !== "string"))
    throw new WorkflowFault("condition_failed", "join() takes a list of texts only");
  allow(texts.reduce((sum, text) => sum + text.length + between.length, 0));
  return texts.join(between);
}

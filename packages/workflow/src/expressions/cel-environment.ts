import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { parseExactJson } from "@crosszone/contracts/json";
import { WorkflowFault } from "../mapping/scope.ts";
import { allow, itemsLeft, spend } from "./condition-values.ts";

/** Largest product of a text's length and the length of the searched text. A longer search can take minutes and cannot be interrupted. */
const mostWork = 1_000_000_000;

/** Shorter texts count with this length, because the pieces of a split text take memory too. */
const leastLength = 100;

const searches = {
  "string.contains(string): bool": (text: string, wanted: string) => text.includes(wanted),
  "string.indexOf(string): int": (text: string, wanted: string) => BigInt(text.indexOf(wanted)),
  "string.lastIndexOf(string): int": (text: string, wanted: string) => BigInt(text.lastIndexOf(wanted)),
  // One more than the budget allows, so that an excess is detected.
  "string.split(string): list<string>": (text: string, wanted: string) => text.split(wanted, itemsLeft() + 1),
};

/** Calls that can turn a small value into a large one before the result is counted. */
const makers = {
  "list<string>.join(): string": (texts: readonly string[]) => join(texts, ""),
  "list<string>.join(string): string": join,
  "bytes.json(): map": (bytes: Uint8Array) => {
    // Each character can become a list.
    spend(bytes.length * 10);
    return parseExactJson(bytes);
  },
};

const nameOf = (signature: string): string => /(\w+)\(/.exec(signature)?.[1] ?? "";
const namesOf = (calls: object): ReadonlySet<string> => new Set(Object.keys(calls).map(nameOf));
const [searchNames, makerNames] = [namesOf(searches), namesOf(makers)];

/** Prefix of the bounded calls. CEL does not allow replacing its own functions. */
const prefix = "bounded_";

/** Registers calls that throw instead of taking too much time or memory. `boundCall` inserts them. */
function registerBoundedCalls(environment: Environment): void {
  const register = (signature: string, call: (...given: never[]) => unknown): void =>
    void environment.registerFunction(signature.replace(/(\w+)\(/, `${prefix}$1(`), call);
  for (const [signature, make] of Object.entries(makers)) register(signature, make);
  for (const [signature, search] of Object.entries(searches))
    register(signature, (text: string, wanted: string) => {
      if (text.length * Math.max(wanted.length, leastLength) <= mostWork) return search(text, wanted);
      const lengths = `a text of ${String(wanted.length)} characters in one of ${String(text.length)}`;
      throw new WorkflowFault("condition_failed", `it searches for ${lengths}, which could take too long`);
    });
}

/** Replaces a call that could take too much time or memory with its bounded one. Returns the reason when the call is refused. */
export function boundCall(call: ASTNode & { readonly op: "rcall" }): string | undefined {
  const [name, , given] = call.args;
  if (searchNames.has(name) && given.length > 1) return `${name}() takes no position; take a substring() first`;
  if (searchNames.has(name) || makerNames.has(name)) call.args[0] = prefix + name;
  return undefined;
}

/** Replaces the names of bounded calls in CEL's messages with the names that the author wrote. */
export const withAuthorsNames = (text: string): string => text.replaceAll(prefix, "");

function join(texts: readonly string[], between: string): string {
  if (texts.some((text) => typeof text !== "string"))
    throw new WorkflowFault("condition_failed", "join() needs a list of strings");
  allow(texts.reduce((sum, text) => sum + text.length + between.length, 0));
  return texts.join(between);
}

/** JSON numbers are doubles, as in google.protobuf.Struct. A literal like 1 is an int, so mixed arithmetic converts it to a double. */
const arithmetic: readonly [operator: string, apply: (a: number, b: number) => number][] = [
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => a / b],
  ["%", (a, b) => a % b],
];

const base = new Environment({ homogeneousAggregateLiterals: false, limits: { maxAstNodes: 1000, maxDepth: 50 } })
  .registerVariable("workflow", "map")
  .registerVariable("steps", "map");
for (const [operator, apply] of arithmetic) {
  const onNumbers = (a: number | bigint, b: number | bigint): number => apply(Number(a), Number(b));
  base.registerOperator(`double ${operator} int`, onNumbers);
  base.registerOperator(`int ${operator} double`, onNumbers);
}
base.registerOperator("double % double", (a: number, b: number) => a % b);
registerBoundedCalls(base);

/** Returns the environment that parses and evaluates conditions. Only CEL's own functions and those registered here are available. */
export function celEnvironment(variables: Iterable<string>): Environment {
  const environment = base.clone();
  for (const name of variables) environment.registerVariable(name, "dyn");
  return environment;
}

/** Returns true if a variable can have this name. CEL reserves words such as `in` and `true`, and names of types such as `list`. */
export function isVariableName(name: string): boolean {
  try {
    return celEnvironment([name]).parse(name).ast.op === "id";
  } catch {
    return false;
  }
}

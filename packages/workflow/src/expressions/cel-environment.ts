import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { parseExactJson } from "@crosszone/contracts/json";
import { itemsLeft, toCel } from "./condition-values.ts";

/** Characters that are read or created in one step. */
export const charactersOfStep = 25;

/** Returns the length of a text or bytes, and of a list that was just created; 0 for other values. */
export function charactersIn(value: unknown): number {
  if (Array.isArray(value)) return value.length * charactersOfStep;
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 0;
}

/** Searches take the product of both lengths at worst, several characters at a time. */
const searches: ReadonlySet<string> = new Set(["contains", "indexOf", "lastIndexOf", "split"]);

/** Returns the steps that a call or an operator takes for the texts that it reads, before it does. They are those of an operator, or a call's in a list. */
export function stepsOfCall({ op, args }: ASTNode, left: unknown, right: unknown): number {
  if (op !== "call" && op !== "rcall")
    return typeof left === "string" ? Math.min(left.length, charactersIn(right)) / charactersOfStep : 0;
  const name = args[0].replace(prefix, "");
  const [first, ...others] = left as readonly unknown[];
  const length = Array.isArray(first) ? 0 : charactersIn(first);
  const [second = 0] = others.map(charactersIn);
  if (searches.has(name)) return (length * second) / 200 + length / 100;
  if (name === "join")
    return (
      (first as readonly unknown[]).reduce<number>((sum, text) => sum + charactersIn(text) + second, 0) /
      charactersOfStep
    );
  // Each character can become a list.
  if (name === "json") return length;
  if (name === "duration") return length ** 2 / charactersOfStep;
  // The parts of a date in another time zone.
  if (name.startsWith("get") && others.length > 0) return 1_000;
  return (length + second) / charactersOfStep;
}

/** Prefix of our versions of CEL's functions, which it does not allow to replace. */
const prefix = "bounded_";
const replaced: ReadonlySet<string> = new Set(["split", "json"]);

/** Replaces a call with its bounded one. Returns the reason when the call is refused. */
export function boundCall(call: ASTNode & { readonly op: "rcall" }): string | undefined {
  const [name, , given] = call.args;
  if (searches.has(name) && given.length > 1) return `${name}() takes no position; take a substring() first`;
  if (replaced.has(name)) call.args[0] = prefix + name;
  return undefined;
}

/** Replaces the names of bounded calls in CEL's messages with the names that the author wrote. */
export const withAuthorsNames = (text: string): string => text.replaceAll(prefix, "");

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
base
  .registerOperator("double % double", (a: number, b: number) => a % b)
  // One more item than the steps allow, so that an excess is found.
  .registerFunction(`string.${prefix}split(string): list<string>`, (text: string, at: string) =>
    text.split(at, itemsLeft() + 1),
  )
  .registerFunction(`bytes.${prefix}json(): map`, (bytes: Uint8Array) => toCel(parseExactJson(bytes)));

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

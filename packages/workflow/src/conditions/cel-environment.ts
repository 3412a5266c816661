import { Environment } from "@marcbachmann/cel-js";
import { registerBoundedCalls } from "./bounded-calls.ts";

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

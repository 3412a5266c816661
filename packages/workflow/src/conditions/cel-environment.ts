import { Environment } from "@marcbachmann/cel-js";
import { registerBoundedCalls } from "./bounded-calls.ts";

/** Numbers of JSON are doubles, as in google.protobuf.Struct; beside a literal like 1 they are counted with as doubles too. */
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

/** Where conditions are read and evaluated: nothing but what is registered here and CEL's own functions can be reached. */
export function celEnvironment(variables: Iterable<string>): Environment {
  const environment = base.clone();
  for (const name of variables) environment.registerVariable(name, "dyn");
  return environment;
}

/** Whether a variable may be called so. The language keeps words like `in` and `true` for itself, and names of types like `list`. */
export function isVariableName(name: string): boolean {
  try {
    return celEnvironment([name]).parse(name).ast.op === "id";
  } catch {
    return false;
  }
}

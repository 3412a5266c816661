import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesIn } from "./cel-tree.ts";
import { charactersOf, spend } from "./condition-budget.ts";

/** Evaluates a node. Every node has this function, but CEL's types leave it out. */
type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

interface Meta {
  evaluate: Evaluate;
  /** The expansion of `map()` or another loop. */
  readonly alternate?: ASTNode;
  /** The expansion of `has()` or `cel.bind()`. */
  readonly macro?: unknown;
}

const metaOf = (node: ASTNode): Meta => (node as unknown as { readonly meta: Meta }).meta;

/** Operations that create values. All others only read existing ones. */
const making: ReadonlySet<string> = new Set(["+", "list", "map", "call", "rcall", "comprehension"]);

/** Makes each node of a checked expression charge the budget for the values that it creates. */
export function chargeNodes(node: ASTNode): void {
  const meta = metaOf(node);
  const made = meta.alternate ?? node;
  if (meta.macro === undefined && making.has(made.op)) {
    const own = metaOf(made);
    const { evaluate } = own;
    own.evaluate = (...evaluation) => {
      const value = evaluate(...evaluation);
      spend(charactersOf(value));
      return value;
    };
  }
  nodesIn(node.args).forEach(chargeNodes);
}

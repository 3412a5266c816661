import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesIn } from "./cel-tree.ts";
import { charactersOf, spend } from "./condition-budget.ts";

/** Evaluates a node: what every node of the language has, and its types leave out. */
type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

interface Meta {
  evaluate: Evaluate;
  /** What stands for a call of `map()` or another loop. */
  readonly alternate?: ASTNode;
  /** What stands for a call of `has()` or `cel.bind()`. */
  readonly macro?: unknown;
}

const metaOf = (node: ASTNode): Meta => (node as unknown as { readonly meta: Meta }).meta;

/** What makes something new; all else only finds what is there. */
const making: ReadonlySet<string> = new Set(["+", "list", "map", "call", "rcall", "comprehension"]);

/** Makes each part of an expression that was checked spend what it makes. */
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

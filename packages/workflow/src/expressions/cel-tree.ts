import type { ASTNode } from "@marcbachmann/cel-js";
import { boundCall } from "./cel-environment.ts";
import { charactersOf, spend } from "./condition-values.ts";

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

/** The names that an expression reads, and its forbidden parts. */
export interface CelTree {
  /** The steps whose outputs it reads. */
  readonly steps: ReadonlySet<string>;
  /** The variables that it reads, including those of its own loops. */
  readonly names: ReadonlySet<string>;
  readonly refusals: readonly string[];
}

/** Macros that evaluate their bodies once for each item. */
const loops = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Three nested loops could block the process for minutes. */
const deepestLoop = 2;

/** Inspects a parsed expression, and replaces CEL's calls with bounded ones. */
export function lookThrough(root: ASTNode): CelTree {
  const steps = new Set<string>();
  const names = new Set<string>();
  const refusals = new Set<string>();
  const visit = (node: ASTNode, depth: number): void => {
    readAsAnswer(node);
    const named = stepOf(node);
    if (named !== undefined) return void steps.add(named);
    if (node.op === "id") names.add(node.args);
    if (node.op === "id" && node.args === "steps")
      refusals.add('name the step literally: steps.ask.output or steps["ask"].output');
    const called = node.op === "rcall" || node.op === "call" ? node.args[0] : "";
    if (called === "matches")
      refusals.add(
        "matches() is not available because a pattern can run forever; use contains(), startsWith() or endsWith()",
      );
    const isLoop = node.op === "rcall" && loops.has(called);
    const inner = isLoop ? depth + 1 : depth;
    if (isLoop && inner > deepestLoop)
      refusals.add(`${called}() is nested in more than ${deepestLoop - 1} other such call`);
    if (node.op === "rcall") {
      const refusal = boundCall(node);
      if (refusal !== undefined) refusals.add(refusal);
      visit(node.args[1], depth);
      node.args[2].forEach((argument) => visit(argument, inner));
    } else nodesIn(node.args).forEach((child) => visit(child, inner));
  };
  visit(root, 0);
  return { steps, names, refusals: [...refusals] };
}

/** Makes `steps.ask.output.text` read the text of an output that is plain text. */
function readAsAnswer(node: ASTNode): void {
  if (node.op !== "." || node.args[1] !== "text") return;
  const [output] = node.args;
  if (output.op === "." && output.args[1] === "output" && stepOf(output.args[0]) !== undefined)
    (output.args as unknown[])[1] = "answer";
}

/** Returns the step id of `steps.ask` or `steps["ask"]`. */
function stepOf(node: ASTNode): string | undefined {
  if (node.op !== "." && node.op !== "[]") return undefined;
  const [object, key] = node.args;
  if (object.op !== "id" || object.args !== "steps") return undefined;
  if (typeof key === "string") return key;
  return key.op === "value" && typeof key.args === "string" ? key.args : undefined;
}

/** Returns the direct child nodes in a node's value. */
function nodesIn(value: unknown): ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return typeof value === "object" && value !== null && "op" in value && "args" in value ? [value as ASTNode] : [];
}

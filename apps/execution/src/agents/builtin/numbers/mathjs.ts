import { createRequire } from "node:module";
import type * as Mathjs from "mathjs";
import type { FactoryFunctionMap, MathJsInstance } from "mathjs";

/**
 * The package's single-file build: it loads in 40 ms, the module build takes eight times that and 100 MB of memory,
 * which every start of the zone would pay.
 */
const mathjs = createRequire(import.meta.url)("mathjs/lib/browser/math.js") as {
  all: FactoryFunctionMap;
  create: typeof Mathjs.create;
};

type PartsInUse =
  | "bignumber"
  | "createUnit"
  | "isConstantNode"
  | "isFunctionNode"
  | "isOperatorNode"
  | "isParenthesisNode"
  | "isSymbolNode"
  | "parse"
  | "unit"
  | "Unit";

/**
 * Exact decimals of 64 digits, an expression parser that runs nothing, and units. The evaluator of mathjs is left out
 * on purpose: it can loop, allocate and import.
 */
export const math: Pick<MathJsInstance, PartsInUse> = mathjs.create(mathjs.all, { number: "BigNumber", precision: 64 });

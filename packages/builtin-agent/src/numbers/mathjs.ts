import { createRequire } from "node:module";
import type * as Mathjs from "mathjs";
import type { FactoryFunctionMap, MathJsInstance } from "mathjs";

/**
 * The package's single-file build loads in 40 ms. The module build takes eight times that and 100 MB of memory at every
 * start of the zone.
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
 * Decimals with 64 digits, an expression parser that executes nothing, and units. The evaluator of mathjs is excluded
 * on purpose: it can loop, allocate and import.
 */
export const math: Pick<MathJsInstance, PartsInUse> = mathjs.create(mathjs.all, { number: "BigNumber", precision: 64 });

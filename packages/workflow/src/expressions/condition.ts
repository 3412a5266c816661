import type { ASTNode } from "@marcbachmann/cel-js";
import { type Reference, ReferenceSyntaxError } from "../mapping/reference.ts";
import { lookUp, PlanFault, type Scope, withTexts, WorkflowFault } from "../mapping/scope.ts";
import { ComputationTimeoutError, withinTime } from "../within-time.ts";
import { boundCall, celEnvironment, withAuthorsNames } from "./cel-environment.ts";
import { charactersOf, type ConditionValues, contextOf, spend, withinBudget } from "./condition-values.ts";
import { replaceReferences } from "./expression-text.ts";

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
function chargeNodes(node: ASTNode): void {
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

/** Macros that evaluate their bodies once for each item. */
const loops = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Three nested loops could block the process for minutes. */
const deepestLoop = 2;

/**
 * Inspects a parsed expression, and replaces CEL's calls with bounded ones. Returns the steps whose outputs it reads, the variables that it
 * reads, including those of its own loops, and its forbidden parts.
 */
function lookThrough(root: ASTNode) {
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

/** What CEL has instead of parts of other languages: the parts, as a pattern of code, and what to write. A word after a dot is a member. */
const advice: readonly (readonly [parts: RegExp, write: string])[] = [
  [/(?<![\w.$])and(?!\w)|(?<!&)&(?!&)/i, "&&"],
  [/(?<![\w.$])or(?!\w)|(?<!\|)\|(?!\|)/i, "||"],
  [/(?<![\w.$])not(\s+in)?(?!\w)/i, "!, as in !(value in list),"],
  [
    /(?<![\w.$])(is(\s+not)?|eq|ne|gte?|lte?|ge|le|xor|between)(?!\w)|[!=]==|<>|[=-]>|=<|[≥≤≠]/i,
    "==, !=, >, >=, < or <=",
  ],
  [/(?<![=!<>]):?=(?![=>~<])/, "=="],
  [/(?<![\w.$])(contains|startsWith|endsWith|includes|like|matches)\s+(?!\w*\()|=~/i, 'text.contains("x")'],
  [
    /(?<=\.)(includes|(start|end)s_?with|(to)?([lL]ow|[uU]pp)er([cC]ase)?)(?=\()/,
    "contains(), startsWith() or lowerAscii()",
  ],
  [/(?<=\.)(any|some|every)(?=\()/, "exists(item, item > 1) or all(item, item > 1)"],
  [/(?<!\w)(len|length|count)(?=\()/, "size()"],
  [/(?<![\w.$])(T(rue|RUE)|F(alse|ALSE)|yes|no|None|nil|N(ull|ULL)|undefined)(?!\w)/, "true, false or null"],
  [/(?<![\w.$])(if|then|else|return)(?!\w)/i, "condition ? value : other"],
  [/\?\?|\?\.|\{[{%]|\$/, "${a.output}, or ${a.output ?? 1}"],
  [/\*\*|\+\+|--|[\^~–—−×÷]/, "+, -, *, / or %"],
  [/\/\*|#|;/, "nothing, or // before a comment"],
  [/[“”„«»‘’`´]/, '" around texts'],
  [/[^\S \t\r\n]|\u200B|\uFEFF/, "a space"],
];

/** References, literals and comments, which can contain anything. */
const notCode = /\$\{[^}]*\}|("""|'''|"|')(?:\\[^]|(?!\1)[^])*(?:\1|$)|\/\/.*/g;

/** Returns one sentence on the first part of an expression that another language has; undefined if there is none. */
function adviceOn(expression: string, variables: ReadonlySet<string>): string | undefined {
  const code = expression.replaceAll(notCode, (part) => " ".repeat(part.length));
  const [first] = advice
    .flatMap(([parts, write]) => {
      const { 0: found = "", index: at } = parts.exec(code) ?? {};
      return at === undefined || variables.has(found) ? [] : [{ at, found: found.trim() || "another blank", write }];
    })
    .toSorted((a, b) => a.at - b.at);
  return first && `at character ${first.at + 1}, write ${first.write} instead of ${first.found}`;
}

/** Timeout of one evaluation, milliseconds. A loop over agents' outputs, or over lists built from them, could run forever. */
export const evaluationMs = 1000;

export interface Condition {
  /** The steps whose outputs it reads. */
  readonly steps: ReadonlySet<string>;
  readonly references: readonly Reference[];
  /** Returns the values that it reads from a scope. Throws a WorkflowFault when one is missing. */
  valuesIn(scope: Scope): ConditionValues;
  /**
   * Evaluates the condition with values that were converted for CEL, and a budget of `characters` to create. Throws a WorkflowFault when it
   * cannot be evaluated, exceeds the budget, or is neither true nor false. Throws a PlanFault when it takes too long, so that the run does
   * not retry it for the next item. Memory is bounded only by `evaluateOnThread`.
   */
  holds(values: ConditionValues, characters: number): boolean;
}

/** Parses a CEL expression over `workflow`, `steps` and these variables. Returns the problems if it is invalid. Never throws. */
export function readCondition(
  expression: string,
  variables: ReadonlySet<string>,
): { condition: Condition; problems?: undefined } | { condition?: undefined; problems: readonly string[] } {
  try {
    const { cel, references, bound } = replaceReferences(expression, variables);
    const parsed = celEnvironment([...variables, ...bound.keys()]).parse(cel);
    const { steps, names, refusals } = lookThrough(parsed.ast);
    if (refusals.length > 0) return { problems: refusals };
    const checked = parsed.check();
    if (!checked.valid) return { problems: [refusalOf(checked.error, expression, variables)] };
    if (checked.type !== "bool" && checked.type !== "dyn")
      return { problems: [`is not a condition: its type is ${checked.type}, expected true or false`] };

    chargeNodes(parsed.ast);

    const valuesIn = (scope: Scope): ConditionValues => {
      const known = [...variables].filter((name) => names.has(name));
      return {
        input: names.has("workflow") ? scope.input : null,
        outputs: new Map(
          [...steps].filter((id) => scope.outputs.has(id)).map((id) => [id, withTexts(scope.outputs.get(id))]),
        ),
        names: new Map([
          ...known.map((name) => [name, withTexts(scope.variables.get(name))] as const),
          ...[...bound].map(
            ([name, reference]) => [name, withConditionErrors(() => withTexts(lookUp(reference, scope)))] as const,
          ),
        ]),
      };
    };
    const holds = (values: ConditionValues, characters: number): boolean => {
      const run = (): unknown => withinBudget(characters, () => parsed(contextOf(values)));
      const value = withConditionErrors(() => withinTime(evaluationMs, run));
      if (typeof value === "boolean") return value;
      throw new WorkflowFault(
        "condition_failed",
        "The condition is neither true nor false. Compare its value with something.",
      );
    };
    return { condition: { steps, references, valuesIn, holds } };
  } catch (error) {
    if (error instanceof ReferenceSyntaxError) return { problems: [`${error.message} (at character ${error.at + 1})`] };
    const general = `${summaryOf(error)}: close brackets and texts, and write && or || between comparisons`;
    return { problems: [`is not a valid CEL expression: ${adviceOn(expression, variables) ?? general}`] };
  }
}

function refusalOf(error: unknown, expression: string, variables: ReadonlySet<string>): string {
  const known = ["workflow", "steps", ...variables].join(", ");
  const hint =
    codeOf(error) === "unknown_variable" ? `; available: ${known}; the output of a step is steps.<id>.output` : "";
  return `is not a valid condition: ${adviceOn(expression, variables) ?? summaryOf(error) + hint}`;
}

function withConditionErrors<Value>(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof ComputationTimeoutError)
      throw new PlanFault(`A condition ${error.message}; make it compare less.`);
    throw conditionFault(error);
  }
}

/** Returns the fault of a condition that could not be evaluated because of `error`. */
export function conditionFault(error: unknown): WorkflowFault {
  const reason = error instanceof WorkflowFault ? error.message : reasonOf(error);
  return new WorkflowFault("condition_failed", `The condition could not be evaluated: ${reason.replace(/\.$/, "")}.`);
}

/** Errors whose messages name only members and types. Other messages can contain data of the run. */
const tellable = new Set(["no_such_key", "no_such_overload", "index_out_of_bounds", "unknown_variable"]);

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return tellable.has(code) ? summaryOf(error) : code.replaceAll("_", " ");
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "too much";
}

function summaryOf(error: unknown): string {
  const { summary, message } = (error ?? {}) as { summary?: unknown; message?: unknown };
  return withAuthorsNames(String(summary ?? message ?? error));
}

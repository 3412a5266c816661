import type { ASTNode } from "@marcbachmann/cel-js";
import { type Reference, ReferenceSyntaxError } from "../mapping/reference.ts";
import { lookUp, outputText, PlanFault, type Scope, WorkflowFault } from "../mapping/scope.ts";
import { readTemplate, type ReadTemplate, resolveTemplate } from "../mapping/template.ts";
import type { EvaluateCondition } from "./answer-conditions.ts";
import {
  boundCall,
  celEnvironment,
  charactersOfStep,
  stepsOfCall,
  charactersIn,
  withAuthorsNames,
} from "./cel-environment.ts";
import { spend, toCel, withinSteps } from "./condition-values.ts";
import { replaceReferences } from "./expression-text.ts";

/** What a checked node has besides, which CEL's types leave out. */
interface Checked {
  readonly meta: {
    evaluate: (evaluator: unknown, node: unknown, context: unknown) => unknown;
    /** The expansion of `map()` or another loop. */
    readonly alternate?: ASTNode;
    /** The expansion of `has()` or `cel.bind()`. */
    readonly macro?: unknown;
  };
  /** Computes the node from its parts: those of an operator are the first two, those of a call are a list. */
  handle: (...parts: unknown[]) => unknown;
  /** Of a loop: `condition` says before each item whether it goes on. */
  readonly args: { condition?: (value: unknown) => boolean };
}

/** An error of CEL has a message that quotes the expression. */
const stepsOfError = 100;

/** Operations that can read or create long texts. */
const longReading: ReadonlySet<string> = new Set(["call", "rcall", "+", "==", "!=", "<", "<=", ">", ">=", "in"]);

/** Makes each node of a checked expression take a step, and more for long texts. */
function countSteps(node: ASTNode): void {
  const { alternate, macro } = (node as unknown as Checked).meta;
  const made = (alternate ?? node) as unknown as Checked & { readonly op: string };
  const { meta, handle } = made;
  const { evaluate } = meta;
  if (macro === undefined)
    meta.evaluate = (evaluator, itself, context) => {
      spend(1);
      try {
        const value = evaluate(evaluator, itself, context);
        return Array.isArray(value) ? toCel(value) : value;
      } catch (error) {
        // CEL continues after an error in an item of a list.
        spend(stepsOfError);
        throw error;
      }
    };
  if (macro === undefined && longReading.has(made.op))
    made.handle = (...parts) => {
      spend(stepsOfCall(node, parts[0], parts[1]));
      const value = handle(...parts);
      spend(charactersIn(value) / charactersOfStep);
      return value;
    };
  const condition = alternate && made.args.condition;
  if (condition)
    made.args.condition = (value) => {
      // An error here ends the loop, also if it was first thrown by an item.
      spend(1);
      return condition(value);
    };
  nodesIn(node.args).forEach(countSteps);
}

/** Macros that evaluate their bodies once for each item. */
const loops = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Three nested loops could block the process for minutes. */
const deepestLoop = 2;

/**
 * Inspects a parsed expression, and replaces CEL's calls with bounded ones. Returns the steps whose outputs it reads, and its forbidden
 * parts.
 */
function lookThrough(root: ASTNode) {
  const steps = new Set<string>();
  const refusals = new Set<string>();
  const visit = (node: ASTNode, depth: number): void => {
    readAsAnswer(node);
    const named = stepOf(node);
    if (named !== undefined) return void steps.add(named);
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
  return { steps, refusals: [...refusals] };
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

export interface Condition {
  /** The steps whose outputs it reads. */
  readonly steps: ReadonlySet<string>;
  readonly references: readonly Reference[];
  /**
   * Evaluates the condition with the values of a scope. Throws a WorkflowFault when one is missing, or when the condition can't be evaluated or
   * is neither true nor false. Throws a PlanFault when it takes too many steps, so that the run does not retry it for the next item.
   */
  holds(scope: Scope): boolean;
}

/** Parses a CEL expression over `workflow`, `steps` and these variables. Returns the problems if it is invalid. Never throws. */
export function readCondition(
  expression: string,
  variables: ReadonlySet<string>,
): { condition: Condition; problems?: undefined } | { condition?: undefined; problems: readonly string[] } {
  try {
    const { cel, references, bound } = replaceReferences(expression, variables);
    const parsed = celEnvironment([...variables, ...bound.keys()]).parse(cel);
    const { steps, refusals } = lookThrough(parsed.ast);
    if (refusals.length > 0) return { problems: refusals };
    const checked = parsed.check();
    if (!checked.valid) return { problems: [refusalOf(checked.error, expression, variables)] };
    if (checked.type !== "bool" && checked.type !== "dyn")
      return { problems: [`is not a condition: its type is ${checked.type}, expected true or false`] };

    countSteps(parsed.ast);

    const holds = (scope: Scope): boolean => {
      const value = withConditionErrors(() => withinSteps(() => parsed(contextOf(scope, steps, bound))));
      if (typeof value === "boolean") return value;
      throw new WorkflowFault(
        "condition_failed",
        "The condition is neither true nor false. Compare its value with something.",
      );
    };
    return { condition: { steps, references, holds } };
  } catch (error) {
    if (error instanceof ReferenceSyntaxError) return { problems: [`${error.message} (at character ${error.at + 1})`] };
    const general = `${summaryOf(error)}: close brackets and texts, and write && or || between comparisons`;
    return { problems: [`is not a valid CEL expression: ${adviceOn(expression, variables) ?? general}`] };
  }
}

/** Returns what CEL looks up. An output that is plain text is read as `answer` where its `text` is meant. */
function contextOf(scope: Scope, steps: ReadonlySet<string>, bound: ReadonlyMap<string, Reference>): object {
  const step = (output: unknown): Map<string, unknown> =>
    new Map([
      ["output", toCel(output)],
      ["answer", typeof output === "object" ? toCel(output) : new Map([["text", outputText(output)]])],
    ]);
  const outputs = [...steps].filter((id) => scope.outputs.has(id));
  return {
    workflow: new Map([["input", toCel(scope.input)]]),
    steps: new Map(outputs.map((id) => [id, step(scope.outputs.get(id))])),
    ...Object.fromEntries(scope.variables.entries().map(([name, value]) => [name, toCel(value)])),
    ...Object.fromEntries(bound.entries().map(([name, reference]) => [name, toCel(lookUp(reference, scope))])),
  };
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
    if (error instanceof PlanFault) throw error;
    const reason = error instanceof WorkflowFault ? error.message : reasonOf(error);
    throw new WorkflowFault("condition_failed", `The condition could not be evaluated: ${reason.replace(/\.$/, "")}.`);
  }
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

export type Expressions = ReturnType<typeof createExpressions>;

/**
 * Reads the mappings and conditions of one definition and caches their parsed forms. Both methods throw a WorkflowFault. Nothing of a
 * scope is cached. For one definition only: expressions from other sources would grow its cache without limit.
 */
export function createExpressions() {
  const templates = new Map<unknown, ReadTemplate>();
  const conditions = new Map<string, Condition>();

  const resolve = (mapping: unknown, scope: Scope): unknown => {
    const read = templates.getOrInsertComputed(mapping, readTemplate);
    const [problem] = read.problems;
    if (problem) throw new WorkflowFault("mapping_failed", problem.message, problem.pointer);
    return resolveTemplate(read.template, scope);
  };

  const condition = (expression: string, scope: Scope): EvaluateCondition => {
    const variables = new Set(scope.variables.keys());
    const known = conditions.getOrInsertComputed(JSON.stringify([expression, ...variables]), () => {
      const read = readCondition(expression, variables);
      if (read.problems) throw new WorkflowFault("condition_failed", `The condition ${read.problems.join("; ")}.`);
      return read.condition;
    });
    return () => known.holds(scope);
  };
  return { resolve, condition };
}

import { withTexts } from "../mapping/answer-text.ts";
import { lookUp, PlanFault, type Scope, WorkflowFault } from "../mapping/scope.ts";
import { type Reference, ReferenceSyntaxError } from "../mapping/reference.ts";
import { TimeLimitError, withinTime } from "../threads/within-time.ts";
import { celEnvironment, withAuthorsNames } from "./cel-environment.ts";
import { chargeNodes, lookThrough } from "./cel-tree.ts";
import { type ConditionValues, contextOf, withinBudget } from "./condition-values.ts";
import { adviceOn } from "./odd-cel.ts";
import { replaceReferences } from "./expression-text.ts";

/** Timeout of one evaluation, milliseconds. A loop over agents' outputs, or over lists built from them, could run forever. */
export const evaluationMs = 1000;

/** A parsed condition. */
export interface Condition {
  /** The steps whose outputs it reads. */
  readonly steps: ReadonlySet<string>;
  /** The references in `${…}`. */
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
            ([name, reference]) => [name, evaluate(() => withTexts(lookUp(reference, scope)))] as const,
          ),
        ]),
      };
    };
    const holds = (values: ConditionValues, characters: number): boolean => {
      const run = (): unknown => withinBudget(characters, () => parsed(contextOf(values)));
      const value = evaluate(() => withinTime(evaluationMs, run));
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

function evaluate<Value>(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof TimeLimitError) throw new PlanFault(`A condition ${error.message}; make it compare less.`);
    throw failed(error);
  }
}

/** Returns the fault of a condition that could not be evaluated because of `error`. */
export function failed(error: unknown): WorkflowFault {
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

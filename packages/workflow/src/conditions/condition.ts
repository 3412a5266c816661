import { lookUp } from "../mapping/look-up.ts";
import { ReferenceSyntaxError, type Reference } from "../mapping/reference.ts";
import { PlanFault } from "../plan-fault.ts";
import type { Scope } from "../scope.ts";
import { WorkflowFault } from "../workflow-fault.ts";
import { TimeLimitError, withinTime } from "../within-time.ts";
import { withAuthorsNames } from "./bounded-searches.ts";
import { celEnvironment } from "./cel-environment.ts";
import { lookThrough } from "./cel-tree.ts";
import { replaceReferences } from "./expression-text.ts";
import { toCel } from "./to-cel.ts";

/** How long one evaluation may take, milliseconds: a loop over what agents answer, or lists put together of it, could take for ever. */
const evaluationMs = 1000;

/** A condition, read once. */
export interface Condition {
  /** The steps whose outputs it reads. */
  readonly steps: ReadonlySet<string>;
  /** What stood in `${…}`. */
  readonly references: readonly Reference[];
  /**
   * Throws a WorkflowFault when it cannot be evaluated, or is neither true nor false: never false instead. Throws a
   * PlanFault when it takes too long: the run is not to try that again for the next item.
   */
  holds(scope: Scope): boolean;
}

/** Reads a CEL expression over `workflow`, `steps` and these variables; or says what is wrong with it. Never throws. */
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
    if (!checked.valid) return { problems: [refusalOf(checked.error, variables)] };
    if (checked.type !== "bool" && checked.type !== "dyn")
      return { problems: [`is no condition: it gives ${checked.type}, not true or false`] };

    const holds = (scope: Scope): boolean => {
      const outputs = [...steps].filter((id) => scope.outputs.has(id));
      const run = (): unknown =>
        parsed({
          workflow: new Map([["input", toCel(scope.input)]]),
          steps: new Map(outputs.map((id) => [id, new Map([["output", toCel(scope.outputs.get(id))]])])),
          ...Object.fromEntries([...variables].map((name) => [name, toCel(scope.variables.get(name))])),
          ...Object.fromEntries([...bound].map(([name, reference]) => [name, toCel(lookUp(reference, scope))])),
        });
      const value = evaluate(() => withinTime(evaluationMs, run));
      if (typeof value === "boolean") return value;
      throw new WorkflowFault("condition_failed", "The condition is neither true nor false; compare what it gives.");
    };
    return { condition: { steps, references, holds } };
  } catch (error) {
    if (error instanceof ReferenceSyntaxError) return { problems: [`${error.message} (at character ${error.at + 1})`] };
    return { problems: [`is no CEL expression: ${summaryOf(error)}`] };
  }
}

function refusalOf(error: unknown, variables: ReadonlySet<string>): string {
  const known = ["workflow", "steps", ...variables].join(", ");
  const hint = codeOf(error) === "unknown_variable" ? `; known are ${known}, an output is steps.<id>.output` : "";
  return `does not hold together: ${summaryOf(error)}${hint}`;
}

function evaluate(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof TimeLimitError) throw new PlanFault(`A condition ${error.message}; compare less in it.`);
    const reason = error instanceof WorkflowFault ? error.message : reasonOf(error);
    throw new WorkflowFault("condition_failed", `The condition could not be evaluated: ${reason}.`);
  }
}

/** Errors whose words name members and types; those of others may repeat what the run holds. */
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

import { type Scope, WorkflowFault } from "../mapping/scope.ts";
import { resolveTemplate } from "../mapping/resolve-template.ts";
import { readTemplate, type ReadTemplate } from "../mapping/template.ts";
import { type Condition, readCondition } from "./condition.ts";
import { evaluateOnThread } from "./evaluate-on-thread.ts";

/**
 * Evaluates the mappings and conditions of one definition and caches their parsed forms. Both methods throw a WorkflowFault. Nothing of a
 * scope is cached.
 */
export interface Expressions {
  /** Returns the value of a mapping. */
  readonly resolve: (mapping: unknown, scope: Scope) => unknown;
  /** Returns whether a condition holds. Throws a PlanFault when it takes longer than a second or too much memory. */
  readonly evaluate: (expression: string, scope: Scope) => boolean;
}

/** For one definition only: expressions from other sources would grow its cache without limit. */
export function createExpressions(): Expressions {
  const templates = new Map<unknown, ReadTemplate>();
  const conditions = new Map<string, Condition>();

  const resolve = (mapping: unknown, scope: Scope): unknown => {
    const read = templates.get(mapping) ?? readTemplate(mapping);
    templates.set(mapping, read);
    const [problem] = read.problems;
    if (problem) throw new WorkflowFault("mapping_failed", problem.message, problem.pointer);
    return resolveTemplate(read.template, scope);
  };

  const evaluate = (expression: string, scope: Scope): boolean => {
    const variables = new Set(scope.variables.keys());
    const key = JSON.stringify([expression, ...variables]);
    let condition = conditions.get(key);
    if (!condition) {
      const read = readCondition(expression, variables);
      if (read.problems) throw new WorkflowFault("condition_failed", `The condition ${read.problems.join("; ")}.`);
      ({ condition } = read);
      conditions.set(key, condition);
    }
    return evaluateOnThread({ expression, variables, values: condition.valuesIn(scope) });
  };
  return { resolve, evaluate };
}

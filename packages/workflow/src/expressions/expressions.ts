import { type Scope, WorkflowFault } from "../mapping/scope.ts";
import { readTemplate, type ReadTemplate, resolveTemplate } from "../mapping/template.ts";
import type { EvaluateCondition } from "./answer-conditions.ts";
import { type Condition, readCondition } from "./condition.ts";

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

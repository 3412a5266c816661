import type { RunExpressions } from "../run/run-plan.ts";
import type { Scope } from "../scope.ts";
import { WorkflowFault } from "../workflow-fault.ts";

/**
 * Expressions of the shortest kind, for tests of what is done with them: a string `$a.x` is what the scope has there, and an
 * error where it has nothing; everything else is itself. A condition is such a path without the `$`, or `true` or `false`.
 */
export const plainExpressions: RunExpressions = {
  resolve,
  evaluate: (expression, scope) =>
    expression === "true" || expression === "false" ? expression === "true" : read(expression, scope),
};

function resolve(template: unknown, scope: Scope): unknown {
  if (typeof template === "string") return template.startsWith("$") ? read(template.slice(1), scope) : template;
  if (Array.isArray(template)) return template.map((item) => resolve(item, scope));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, resolve(value, scope)]));
}

function read(path: string, { input, outputs, variables }: Scope): unknown {
  let found: unknown = { input, ...Object.fromEntries(outputs), ...Object.fromEntries(variables) };
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
      throw new WorkflowFault("mapping_failed", `There is no "${path}".`);
    }
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

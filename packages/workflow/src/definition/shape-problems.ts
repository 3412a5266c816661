import { isStepType, isWorkflowDefinition, problemsOf, type ParamProblem } from "@crosszone/contracts";

/** Returns the schema problems of a definition, with clearer messages for common mistakes. */
export function shapeProblems(source: unknown): ParamProblem[] {
  return problemsOf(isWorkflowDefinition, source).flatMap((problem) => {
    const { pointer, message } = problem;
    if (/^\/steps\/[^/]+\/type$/.test(pointer))
      return problemsOf(isStepType, undefined).map((known) => ({ ...known, pointer }));
    // YAML parses 1.0 as a number.
    if (pointer === "/version" && message === "must be string")
      return [{ pointer, message: 'must be string; use quotes, such as "1.0"' }];
    return [problem];
  });
}

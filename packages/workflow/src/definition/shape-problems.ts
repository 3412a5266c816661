import { isStepType, isWorkflowDefinition, problemsOf, type ParamProblem } from "@crosszone/contracts";

/** What of a definition does not fit its schema; where that alone does not say what would, in the words of who writes one. */
export function shapeProblems(source: unknown): ParamProblem[] {
  return problemsOf(isWorkflowDefinition, source).flatMap((problem) => {
    const { pointer, message } = problem;
    if (/^\/steps\/[^/]+\/type$/.test(pointer))
      return problemsOf(isStepType, undefined).map((known) => ({ ...known, pointer }));
    // YAML takes 1.0 for a number.
    if (pointer === "/version" && message === "must be string")
      return [{ pointer, message: 'must be string, in quotes as in "1.0"' }];
    return [problem];
  });
}

import { isStepType, isWorkflowDefinition, problemsOf, type ParamProblem } from "@crosszone/contracts";

/** What of a definition does not fit its schema. Of a step whose type is none of the known ones it says which those are. */
export function shapeProblems(source: unknown): ParamProblem[] {
  return problemsOf(isWorkflowDefinition, source).flatMap((problem) =>
    /^\/steps\/[^/]+\/type$/.test(problem.pointer)
      ? problemsOf(isStepType, undefined).map(({ message }) => ({ pointer: problem.pointer, message }))
      : [problem],
  );
}

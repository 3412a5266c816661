import type { ParamProblem, WorkflowStep } from "@crosszone/contracts";
import { readCondition, type Condition } from "../expressions/condition.ts";
import { isMemberName } from "../expressions/expression-text.ts";
import { readTemplate, type Template } from "../mapping/template.ts";
import { toPointer } from "../mapping/reference.ts";
import type { StepExpression } from "../steps/step-kind.ts";
import { kindOf } from "../steps/step-kinds.ts";
import { orderProblem, referenceProblem, type ReferenceContext } from "./check-reference.ts";

/** Returns the problems of a step's references: syntax errors, and values that can't be available when the step runs. */
export function checkReferences(id: string, step: WorkflowStep, context: ReferenceContext): ParamProblem[] {
  return kindOf(step)
    .expressions(step)
    .flatMap(({ kind, value, keys }) => checks[kind](value, toPointer(["steps", id, ...keys]), context));
}

const checks: Readonly<Record<StepExpression["kind"], typeof checkMapping>> = {
  mapping: checkMapping,
  condition: (expression, pointer, context) => checkCondition(String(expression), pointer, context),
  collection: checkCollection,
};

/** Returns the problems of one mapping. Their pointers start with `pointer`. */
export function checkMapping(mapping: unknown, pointer: string, context: ReferenceContext): ParamProblem[] {
  return problemsOfRead(readTemplate(mapping), pointer, context);
}

function checkCollection(collection: unknown, pointer: string, context: ReferenceContext): ParamProblem[] {
  const read = readTemplate(collection);
  const problems = problemsOfRead(read, pointer, context);
  if (problems.length > 0 || holdsArray(read.template)) return problems;
  return [{ pointer, message: "must be one reference, such as ${workflow.input.topics}, or an array" }];
}

function holdsArray(template: Template): boolean {
  return template.kind === "reference" || template.kind === "array";
}

function problemsOfRead(
  { references, problems }: ReturnType<typeof readTemplate>,
  pointer: string,
  context: ReferenceContext,
): ParamProblem[] {
  const unresolvable = references.flatMap(({ pointer: within, reference }) => {
    const message = referenceProblem(reference, context);
    return message === undefined ? [] : [{ pointer: within, message }];
  });
  return [...problems, ...unresolvable].map((one) => ({ pointer: pointer + one.pointer, message: one.message }));
}

function checkCondition(expression: string, pointer: string, context: ReferenceContext): ParamProblem[] {
  const { condition, problems } = readCondition(expression, context.names.variables);
  const messages = condition ? conditionProblems(condition, context) : (problems ?? []);
  const hint = messages.length > 0 ? bracketHint(expression, context.ids) : "";
  return messages.map((message) => ({ pointer, message: message + hint }));
}

/**
 * Returns a hint if the expression uses a step id that CEL does not accept after a dot: it contains a `-`, begins with a digit, or is a
 * reserved word.
 */
function bracketHint(expression: string, ids: ReadonlySet<string>): string {
  const meant = [...ids].filter((id) => !isMemberName(id) && expression.includes(`steps.${id}`));
  return meant.map((id) => `; write steps["${id}"].output instead of steps.${id}.output`).join("");
}

/** CEL's `has()` can check whether a step has run, so a step that may not have run is allowed here. */
function conditionProblems({ references, steps }: Condition, context: ReferenceContext): string[] {
  const fallback = { value: null };
  const ofReferences = references.map((reference) => referenceProblem({ ...reference, fallback }, context));
  const told = new Set(references.map(({ path: [head, second] }) => (head === "steps" ? second : head)));
  const ofSteps = [...steps]
    .filter((id) => !told.has(id))
    .map((id) =>
      context.ids.has(id)
        ? orderProblem(id, { text: `steps.${id}`, fallback }, context.names)
        : `steps.${id} names an unknown step`,
    );
  return [...new Set([...ofReferences, ...ofSteps].filter((problem) => problem !== undefined))];
}

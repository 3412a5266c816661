import type { WorkflowStep } from "@crosszone/contracts";
import { type Condition, readCondition } from "../expressions/condition.ts";
import { nearName } from "@crosszone/service-kit/text";
import { isMemberName } from "../expressions/expression-text.ts";
import { type Reference, toPointer } from "../mapping/reference.ts";
import { readTemplate, type Template } from "../mapping/template.ts";
import type { StepExpression } from "../steps/step-kind.ts";
import { kindOf } from "../steps/step-kinds.ts";
import { rulesOut } from "./input-schema.ts";
import { checkMembers, type Finding } from "./check-members.ts";
import type { SoundSteps } from "./sound-steps.ts";
import type { VisibleNames } from "./visible-names.ts";

/** What the references of one mapping or condition are checked against. */
interface ReferenceContext extends SoundSteps {
  readonly inputSchema: unknown;
  readonly names: VisibleNames;
}

/** Returns the problems of a step's references: syntax errors, and values that can't be available when the step runs. */
export function checkReferences(id: string, step: WorkflowStep, context: ReferenceContext): Finding[] {
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
export function checkMapping(mapping: unknown, pointer: string, context: ReferenceContext): Finding[] {
  return problemsOfRead(readTemplate(mapping), pointer, context);
}

function checkCollection(collection: unknown, pointer: string, context: ReferenceContext): Finding[] {
  const read = readTemplate(collection);
  const problems = problemsOfRead(read, pointer, context);
  if (holdsArray(read.template) || problems.some(({ isWarning }) => !isWarning)) return problems;
  return [...problems, { pointer, message: "must be one reference, such as ${workflow.input.topics}, or an array" }];
}

function holdsArray(template: Template): boolean {
  return template.kind === "reference" || template.kind === "array";
}

function problemsOfRead(
  { references, problems, warnings }: ReturnType<typeof readTemplate>,
  pointer: string,
  context: ReferenceContext,
): Finding[] {
  const unresolvable = references.flatMap(({ pointer: within, reference }): Finding[] => {
    const message = referenceProblem(reference, context);
    const finding = message === undefined ? checkMembers(reference, context.sound) : { message };
    return finding ? [{ pointer: within, ...finding }] : [];
  });
  const suspicious = warnings.map((warning) => ({ ...warning, isWarning: true }));
  return [...problems, ...unresolvable, ...suspicious].map((one) => ({ ...one, pointer: pointer + one.pointer }));
}

function checkCondition(expression: string, pointer: string, context: ReferenceContext): Finding[] {
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
  const checked = new Set(references.map(({ path: [head, second] }) => (head === "steps" ? second : head)));
  const ofSteps = [...steps]
    .filter((id) => !checked.has(id))
    .map((id) =>
      context.ids.has(id)
        ? orderProblem(id, { text: `steps.${id}`, path: [], fallback }, context.names)
        : `steps.${id} names an unknown step`,
    );
  return [...new Set([...ofReferences, ...ofSteps].filter((problem) => problem !== undefined))];
}

/** Returns why a reference can never have a value, or undefined. */
function referenceProblem(reference: Reference, context: ReferenceContext): string | undefined {
  const { text, path } = reference;
  const [head, second, third] = path;
  if (head === "workflow") return inputProblem(reference, context.inputSchema);
  if (context.names.variables.has(String(head))) return undefined;
  if (head === "item" || head === "index") return `${text} is available only in the body of a loop`;
  const [id, member] = head === "steps" ? [second, third] : [head, second];
  if (typeof id !== "string" || !context.ids.has(id)) return `${text} names an unknown step; ${meantOr(id, context)}`;
  if (member !== "output") return `${text} lacks the word output: \${${id}.output}`;
  return orderProblem(id, reference, context.names);
}

function inputProblem({ text, path, fallback }: Reference, schema: unknown): string | undefined {
  if (path[1] !== "input") return `${text} is unknown: workflow has only an input, \${workflow.input}`;
  return !fallback && rulesOut(schema, path.slice(2))
    ? `${text} is not a member of the input according to input_schema`
    : undefined;
}

function meantOr(id: unknown, { ids, names }: ReferenceContext): string {
  const near = nearName(id, ids);
  return near ? `did you mean ${near}?` : `available: ${[...names.variables, ...ids].slice(0, 20).join(", ")}`;
}

/** Returns a problem if the referenced step may not have ended before this one. */
function orderProblem(
  id: string,
  { text, fallback }: Reference,
  { certain, possible }: VisibleNames,
): string | undefined {
  if (certain.has(id)) return undefined;
  if (!possible.has(id)) return `${text} is not available: ${id} does not run before this step, or is out of its scope`;
  if (fallback) return undefined;
  return `${text} may be missing because ${id} does not always run: add a default, such as \${${id}.output ?? null}`;
}

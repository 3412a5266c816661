import type { Reference } from "../mapping/reference.ts";
import { rulesOut } from "./input-schema.ts";
import type { VisibleNames } from "./visible-names.ts";

/** What the references of one mapping or condition are checked against. */
export interface ReferenceContext {
  /** The ids of all steps. */
  readonly ids: ReadonlySet<string>;
  readonly inputSchema: unknown;
  readonly names: VisibleNames;
}

/** Returns why a reference can never have a value, or undefined. */
export function referenceProblem(reference: Reference, context: ReferenceContext): string | undefined {
  const { text, path } = reference;
  const [head, second, third] = path;
  if (head === "workflow") return inputProblem(reference, context.inputSchema);
  if (context.names.variables.has(String(head))) return undefined;
  if (head === "item" || head === "index") return `${text} is available only in the body of a loop`;
  const [id, member] = head === "steps" ? [second, third] : [head, second];
  if (typeof id !== "string" || !context.ids.has(id))
    return `${text} names an unknown step; available: ${listed(context)}`;
  if (member !== "output") return `${text} lacks the word output: \${${id}.output}`;
  return orderProblem(id, reference, context.names);
}

function inputProblem({ text, path, fallback }: Reference, schema: unknown): string | undefined {
  if (path[1] !== "input") return `${text} is unknown: workflow has only an input, \${workflow.input}`;
  return !fallback && rulesOut(schema, path.slice(2))
    ? `${text} is not a member of the input according to input_schema`
    : undefined;
}

function listed({ ids, names }: ReferenceContext): string {
  return [...names.variables, ...ids].slice(0, 20).join(", ");
}

/** Returns a problem if the referenced step may not have ended before this one. */
export function orderProblem(
  id: string,
  { text, fallback }: Pick<Reference, "text" | "fallback">,
  { certain, possible }: VisibleNames,
): string | undefined {
  if (certain.has(id)) return undefined;
  if (!possible.has(id)) return `${text} is not available: ${id} does not run before this step, or is out of its scope`;
  if (fallback) return undefined;
  return `${text} may be missing because ${id} does not always run: add a default, such as \${${id}.output ?? null}`;
}

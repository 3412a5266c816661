import type { Reference } from "../mapping/reference.ts";
import { rulesOut } from "./input-schema.ts";
import type { VisibleNames } from "./visible-names.ts";

/** What the references of one place are checked against. */
export interface ReferenceContext {
  /** Every step there is. */
  readonly ids: ReadonlySet<string>;
  readonly inputSchema: unknown;
  readonly names: VisibleNames;
}

/** Why a reference can lead nowhere, or undefined. */
export function referenceProblem(reference: Reference, context: ReferenceContext): string | undefined {
  const { text, path } = reference;
  const [head, second, third] = path;
  if (head === "workflow") return inputProblem(reference, context.inputSchema);
  if (context.names.variables.has(String(head))) return undefined;
  if (head === "item" || head === "index") return `${text} is there only within the body of a loop`;
  const [id, member] = head === "steps" ? [second, third] : [head, second];
  if (typeof id !== "string" || !context.ids.has(id)) return `${text} names no step; there are ${listed(context)}`;
  if (member !== "output") return `${text} lacks the word output: \${${id}.output}`;
  return orderProblem(id, reference, context.names);
}

function inputProblem({ text, path, fallback }: Reference, schema: unknown): string | undefined {
  if (path[1] !== "input") return `${text} begins with workflow, which has an input only: \${workflow.input}`;
  return !fallback && rulesOut(schema, path.slice(2))
    ? `${text} is no member of the input, says input_schema`
    : undefined;
}

function listed({ ids, names }: ReferenceContext): string {
  return [...names.variables, ...ids].slice(0, 20).join(", ");
}

/** Whether a step that is referred to is done by then. */
export function orderProblem(
  id: string,
  { text, fallback }: Pick<Reference, "text" | "fallback">,
  { certain, possible }: VisibleNames,
): string | undefined {
  if (certain.has(id)) return undefined;
  if (!possible.has(id)) return `${text} cannot be there: ${id} does not run before this, or runs out of its sight`;
  if (fallback) return undefined;
  return `${text} may not be there, ${id} does not always run: give a default, as in \${${id}.output ?? null}`;
}

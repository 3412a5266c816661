import type { Reference } from "./reference.ts";

/** A plan that no run can follow. The validator prevents such plans; if one is stored anyway, its runs fail with this message. */
export class PlanFault extends Error {
  override readonly name = "PlanFault";
}

/** Why an expression of a definition could not be evaluated. The message names references and members, never values. */
export class WorkflowFault extends Error {
  readonly kind: "mapping_failed" | "condition_failed" | "collection_invalid";
  /** Position in the mapping, a JSON pointer (RFC 6901); empty for the whole. */
  readonly pointer: string;

  constructor(kind: WorkflowFault["kind"], message: string, pointer = "") {
    super(message);
    this.name = "WorkflowFault";
    this.kind = kind;
    this.pointer = pointer;
  }
}

/** The values that the references of one step instance can use. */
export interface Scope {
  /** `workflow.input`. */
  readonly input: unknown;
  /** The outputs of ended steps by step id: those of its own loop body, fork branch or chain, and of all enclosing ones. */
  readonly outputs: ReadonlyMap<string, unknown>;
  /** In loops: `item`, `index` and the iterator names. */
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Roots of references. */
const reservedNames: readonly string[] = ["workflow", "steps", "item", "index"];

/** Returns true for the roots of references, which steps and iterators can't use as names. */
export const isReservedName = (name: string): boolean => reservedNames.includes(name);

export const reservedNameProblem: string = `is reserved for references (${reservedNames.join(", ")}); choose another name`;

/** Returns the value of a reference, or its default. Throws a WorkflowFault if it has neither. */
export function lookUp(reference: Reference, scope: Scope): unknown {
  const { text, path, fallback } = reference;
  const [start, rest] = begin(path, scope);
  let value = start;
  let missing: string | undefined = rest ? undefined : "the step has no output yet";
  for (const key of rest ?? []) {
    if (!hasMember(value, key)) {
      missing = `the value has no ${typeof key === "number" ? `item ${key}` : key}`;
      break;
    }
    value = (value as Record<string | number, unknown>)[key];
  }
  if (missing === undefined && (value !== null || !fallback)) return value;
  if (fallback) return fallback.value;
  throw new WorkflowFault("mapping_failed", `${text} was not found: ${missing}`);
}

/** Returns the root value of a path and the rest of the path; undefined if the root is unknown. */
function begin(
  path: Reference["path"],
  { input, outputs, variables }: Scope,
): [value: unknown, rest?: Reference["path"]] {
  const [head, second] = path;
  if (head === "workflow") return second === "input" ? [input, path.slice(2)] : [undefined];
  if (typeof head === "string" && head !== "steps" && variables.has(head)) return [variables.get(head), path.slice(1)];
  const [id, member, ...rest] = head === "steps" ? path.slice(1) : path;
  const step = String(id);
  return member === "output" && outputs.has(step) ? [outputs.get(step), rest] : [undefined];
}

/** Only own members of objects and items of arrays: no prototype members, no length, no characters of a text. */
function hasMember(value: unknown, key: string | number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, key) && !(Array.isArray(value) && key === "length");
}

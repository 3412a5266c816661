import type { Scope } from "../scope.ts";
import { WorkflowFault } from "../workflow-fault.ts";
import type { Reference } from "./reference.ts";

/** The value a reference points at, or its default. Throws a WorkflowFault when there is neither. */
export function lookUp(reference: Reference, scope: Scope): unknown {
  const { text, path, fallback } = reference;
  const [start, rest] = begin(path, scope);
  let value = start;
  let missing: string | undefined = rest ? undefined : "there is no output of that step yet";
  for (const key of rest ?? []) {
    if (!hasMember(value, key)) {
      missing = `there is no ${typeof key === "number" ? `item ${key}` : key}`;
      break;
    }
    value = (value as Record<string | number, unknown>)[key];
  }
  if (missing === undefined && (value !== null || !fallback)) return value;
  if (fallback) return fallback.value;
  throw new WorkflowFault("mapping_failed", `${text} leads nowhere: ${missing}`);
}

/** Where a path begins, and what is left of it; nothing is left of one that begins nowhere. */
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

/** Own members of objects and items of arrays only: nothing of a prototype, no length, no characters of a text. */
function hasMember(value: unknown, key: string | number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, key) && !(Array.isArray(value) && key === "length");
}

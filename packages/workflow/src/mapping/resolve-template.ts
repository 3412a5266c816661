import { lookUp, type Scope, WorkflowFault } from "./scope.ts";
import { type Reference, toPointer } from "./reference.ts";
import type { Template } from "./template.ts";

/** Largest result of one mapping, about the characters of its JSON. A few references could otherwise exceed the memory. */
const most = 10_000_000;

/** Returns a function that counts the values inserted into one mapping. It throws a WorkflowFault when they exceed the limit. */
function createBudget(): (value: unknown) => void {
  let left = most;
  return (value) => {
    const waiting = [value];
    while (waiting.length > 0) {
      const next = waiting.pop();
      left -= typeof next === "string" ? next.length + 1 : 1;
      if (left < 0) throw new WorkflowFault("mapping_failed", `The mapping exceeds ${most} characters`);
      if (typeof next !== "object" || next === null) continue;
      if (!Array.isArray(next)) left -= Object.keys(next).join("").length;
      for (const member of Object.values(next)) waiting.push(member);
    }
  };
}

/**
 * Fills in a mapping. A string that is a single reference keeps the type of the value. Inside a longer text, a string is inserted as it is
 * and any other value as JSON. Throws a WorkflowFault with the pointer of a reference that has no value or makes the result too large.
 */
export function resolveTemplate(template: Template, scope: Scope): unknown {
  // A single reference creates nothing new.
  const spend = template.kind === "reference" ? (): void => undefined : createBudget();
  return resolve(template, { scope, spend }, []);
}

interface Filling {
  readonly scope: Scope;
  readonly spend: (value: unknown) => void;
}

function resolve(template: Template, filling: Filling, keys: readonly (string | number)[]): unknown {
  if (template.kind === "value") return template.value;
  if (template.kind === "reference") return found(template.reference, filling, keys);
  if (template.kind === "text")
    return template.parts
      .map((part) => (typeof part === "string" ? part : asText(found(part, filling, keys))))
      .join("");
  if (template.kind === "array") return template.items.map((item, at) => resolve(item, filling, [...keys, at]));
  return Object.fromEntries(
    template.members.map(([name, member]) => [name, resolve(member, filling, [...keys, name])]),
  );
}

function found(reference: Reference, { scope, spend }: Filling, keys: readonly (string | number)[]): unknown {
  try {
    const value = lookUp(reference, scope);
    spend(value);
    return value;
  } catch (error) {
    if (error instanceof WorkflowFault) throw new WorkflowFault(error.kind, error.message, toPointer(keys));
    throw error;
  }
}

/** Returns a value as it is inserted into a longer text. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}

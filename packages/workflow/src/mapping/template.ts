import type { ParamProblem } from "@crosszone/contracts";
import { readReference, type Reference, ReferenceSyntaxError, toPointer } from "./reference.ts";
import { lookUp, type Scope, WorkflowFault } from "./scope.ts";

/** A parsed mapping: JSON whose strings can contain references. */
export type Template =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "text"; readonly parts: readonly (string | Reference)[] }
  | { readonly kind: "array"; readonly items: readonly Template[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [name: string, template: Template])[] };

interface PlacedReference {
  readonly pointer: string;
  readonly reference: Reference;
}

export interface ReadTemplate {
  readonly template: Template;
  readonly references: readonly PlacedReference[];
  /** Syntax errors, each with a JSON pointer into the mapping. */
  readonly problems: readonly ParamProblem[];
  /** Texts that look like references of another language. */
  readonly warnings: readonly ParamProblem[];
}

/** Deeper mappings are refused before they overflow the stack. */
const maxDepth = 64;

/** Parses a mapping. `$${` escapes `${`. Never throws. */
export function readTemplate(mapping: unknown): ReadTemplate {
  const references: PlacedReference[] = [];
  const problems: ParamProblem[] = [];
  const warnings: ParamProblem[] = [];
  const read = (value: unknown, keys: readonly string[]): Template => {
    if (typeof value === "string") return readText(value, keys);
    if (typeof value !== "object" || value === null) return { kind: "value", value };
    if (keys.length >= maxDepth) {
      problems.push({ pointer: toPointer(keys), message: `is nested deeper than ${maxDepth}` });
      return { kind: "value", value: null };
    }
    if (Array.isArray(value))
      return { kind: "array", items: value.map((item, at) => read(item, [...keys, String(at)])) };
    const members = Object.entries(value).map(([name, member]) => [name, read(member, [...keys, name])] as const);
    return { kind: "object", members };
  };
  const readText = (text: string, keys: readonly string[]): Template => {
    const [braces, inner = ""] = /\{\{([^{}]{1,200})\}\}/.exec(text) ?? [];
    if (braces !== undefined && inner.trim() !== "")
      warnings.push({
        pointer: toPointer(keys),
        message: `contains ${braces}, which is plain text; a reference is \${${inner.trim()}}`,
      });
    try {
      const parts = partsOf(text);
      const found = parts.filter((part) => typeof part !== "string");
      const pointer = toPointer(keys);
      for (const reference of found) references.push({ pointer, reference });
      const [only] = parts;
      if (parts.length === 1 && typeof only === "object") return { kind: "reference", reference: only };
      return found.length > 0 ? { kind: "text", parts } : { kind: "value", value: only };
    } catch (error) {
      if (!(error instanceof ReferenceSyntaxError)) throw error;
      problems.push({ pointer: toPointer(keys), message: `${error.message} (at character ${error.at + 1})` });
      return { kind: "value", value: text };
    }
  };
  return { template: read(mapping, []), references, problems, warnings };
}

/** Splits a text into plain parts and references. */
function partsOf(text: string): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("${", at);
    if (next < 0) break;
    if (next > at && text[next - 1] === "$") {
      plain += `${text.slice(at, next - 1)}\${`;
      at = next + 2;
      continue;
    }
    plain += text.slice(at, next);
    if (plain) parts.push(plain);
    plain = "";
    const { reference, end } = readReference(text, next);
    parts.push(reference);
    at = end;
  }
  plain += text.slice(at);
  if (plain || parts.length === 0) parts.push(plain);
  return parts;
}

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
  if (template.kind === "reference") return foundAt(template.reference, filling, keys);
  if (template.kind === "text")
    return template.parts
      .map((part) => (typeof part === "string" ? part : asText(foundAt(part, filling, keys))))
      .join("");
  if (template.kind === "array") return template.items.map((item, at) => resolve(item, filling, [...keys, at]));
  return Object.fromEntries(
    template.members.map(([name, member]) => [name, resolve(member, filling, [...keys, name])]),
  );
}

function foundAt(reference: Reference, { scope, spend }: Filling, keys: readonly (string | number)[]): unknown {
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

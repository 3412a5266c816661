import type { ParamProblem } from "@crosszone/contracts";
import { readReference, type Reference, ReferenceSyntaxError, toPointer } from "./reference.ts";

/** A parsed mapping: JSON whose strings can contain references. */
export type Template =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "text"; readonly parts: readonly (string | Reference)[] }
  | { readonly kind: "array"; readonly items: readonly Template[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [name: string, template: Template])[] };

/** A reference and its position in the mapping. */
export interface PlacedReference {
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
    const [braces, inner] = /\{\{\s*([^{}]{1,200}?)\s*\}\}/.exec(text) ?? [];
    if (braces !== undefined)
      warnings.push({
        pointer: toPointer(keys),
        message: `contains ${braces}, which is plain text; a reference is \${${inner}}`,
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

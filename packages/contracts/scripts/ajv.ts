import type { Options } from "ajv/dist/2020.js";
import type { Contract, NamedType } from "./contract.ts";

/** How tests compile the schemas with Ajv. Formats are not checked, as in many languages: the pattern next to a format decides. */
export const ajvOptions: Options = {
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  formats: { uuid: true },
  keywords: ["x-secret", "x-content", "x-meanings"],
};

/**
 * Returns the schema without the rules that only other languages need, so that an invalid value gets one problem instead of
 * two. `not` next to a pattern refuses a trailing line feed, before which `$` also matches in Python. `type` next to a constant
 * refuses a number, because a Go library accepts 2 as "2.0".
 */
export function withoutDoubledRules<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withoutDoubledRules) as Part;
  if (typeof part !== "object" || part === null) return part;
  const doubled = new Set([...("pattern" in part ? ["not"] : []), ...("const" in part ? ["type"] : [])]);
  const kept = Object.entries(part).filter(([name]) => !doubled.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutDoubledRules(value)])) as Part;
}

/** Returns the id by which Ajv finds a type. */
export function idOf({ ref }: NamedType, schemas: Contract["schemas"]): string {
  const [path = "", pointer] = ref.split("#");
  return [schemas.get(path)?.$id, pointer].filter(Boolean).join("#");
}

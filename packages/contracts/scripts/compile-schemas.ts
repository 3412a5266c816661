import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import type { Contract, NamedType } from "./contract.ts";

/** How the schemas are compiled. Formats are not checked, as in many languages: the pattern next to a format decides. */
export const ajvOptions: Options = {
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  formats: { uuid: true },
  keywords: ["x-secret", "x-meanings"],
};

/** A type with the validator that Ajv generates for it. */
export interface CompiledType extends NamedType {
  validate: ValidateFunction;
}

/** Compiles each type to its own function. A reference becomes a call, so that no type's code is duplicated in another's. */
export function compileSchemas({ schemas, types }: Contract): CompiledType[] {
  const ajv = new Ajv2020({ ...ajvOptions, inlineRefs: false, code: { source: true, esm: true, lines: true } });
  // Ajv2020 turns these on. No schema uses them, and each adds code to every function.
  Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  for (const [path, schema] of schemas) naming(path, () => ajv.addSchema(withoutDoubledRules(schema)));
  return types.map((type) => ({ ...type, validate: naming(type.ref, () => compiled(ajv, idOf(type, schemas))) }));
}

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

function compiled(ajv: Ajv2020, id: string): ValidateFunction {
  const validate = ajv.getSchema(id);
  if (!validate) throw new Error("Ajv does not find this schema");
  return validate;
}

/** Runs a function and adds the file name to an error of Ajv. */
function naming<Result>(path: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

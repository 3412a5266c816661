import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import type { Contract, NamedType } from "./contract.ts";

/** How the schemas are read. A format only says what a text is: many languages do not check it, so the pattern beside it decides. */
export const ajvOptions: Options = {
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  formats: { uuid: true },
  keywords: ["x-secret", "x-meanings"],
};

/** A type with the function that Ajv generates for it. */
export interface CompiledType extends NamedType {
  validate: ValidateFunction;
}

/** Compiles each type to one function of its own. A reference stays a call, so that no type's code is in another's. */
export function compileSchemas({ schemas, types }: Contract): CompiledType[] {
  const ajv = new Ajv2020({ ...ajvOptions, inlineRefs: false, code: { source: true, esm: true, lines: true } });
  // Ajv2020 turns these on. No schema uses them, and each adds code to every function.
  Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  for (const [path, schema] of schemas) naming(path, () => ajv.addSchema(withoutDoubledRules(schema)));
  return types.map((type) => ({ ...type, validate: naming(type.ref, () => compiled(ajv, idOf(type, schemas))) }));
}

/**
 * The schema without the rules that other languages need and JavaScript does not, so that a wrong value gets one problem
 * instead of two. `not` beside a pattern refuses a line feed: in Python, `$` also matches before a last one. `type` beside
 * a constant refuses a number: a Go library takes 2 for the text "2.0".
 */
export function withoutDoubledRules<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withoutDoubledRules) as Part;
  if (typeof part !== "object" || part === null) return part;
  const doubled = new Set([...("pattern" in part ? ["not"] : []), ...("const" in part ? ["type"] : [])]);
  const kept = Object.entries(part).filter(([name]) => !doubled.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutDoubledRules(value)])) as Part;
}

/** Where Ajv finds a type. */
export function idOf({ ref }: NamedType, schemas: Contract["schemas"]): string {
  const [path = "", pointer] = ref.split("#");
  return [schemas.get(path)?.$id, pointer].filter(Boolean).join("#");
}

function compiled(ajv: Ajv2020, id: string): ValidateFunction {
  const validate = ajv.getSchema(id);
  if (!validate) throw new Error("Ajv does not find this schema");
  return validate;
}

/** Names the file in an error of Ajv. */
function naming<Result>(path: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

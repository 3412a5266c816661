import { compileSchemas } from "./compile-schemas.ts";
import type { Contract } from "./contract.ts";
import { validatorCode } from "./validator-code.ts";

/**
 * Generates stand-alone validators, one for each type (`isTaskId`), as one TypeScript module. No statement has a side effect, so
 * a bundler keeps only the validators that a program uses and those they refer to. One module for each type would give the same
 * bundles, but Node would take three times as long to load them all.
 */
export function generateValidators(contract: Contract): string {
  const types = compileSchemas(contract);
  const titles = new Map(types.map(({ title, validate }) => [validate.schema, title]));
  const constants = new Map<string, string>();
  const scope = {
    functionOf(schema: unknown) {
      const title = titles.get(schema as object);
      if (!title) throw new Error("a schema refers to a schema that is not a type of the contract");
      return `validate${title}`;
    },
    constant(prefix: string, code: string) {
      const name = constants.get(code) ?? `${prefix}${constants.size}`;
      constants.set(code, name);
      return name;
    },
  };
  const validators = types.map((type) => {
    const { title } = type;
    return `export const is${title}: Validator<Types.${title}> = validate${title} as never;\n${validatorCode(type, scope)}`;
  });
  return [
    "// @ts-nocheck",
    'import type * as Types from "./types.ts";',
    'import { codePoints, hasOwnProperty, type Validator } from "../validator.ts";',
    "",
    ...[...constants].map(([code, name]) => `const ${name} = ${code};`),
    "",
    ...validators,
  ].join("\n");
}

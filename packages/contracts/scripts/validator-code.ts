import { boundLoops } from "./bound-loops.ts";
import type { CompiledType } from "./compile-schemas.ts";
import { extractSchemaParts } from "./extract-schema-parts.ts";

/** The module that the code is part of. */
export interface ModuleScope {
  /** Returns the name of the function that validates a schema. */
  functionOf: (schema: unknown) => string;
  /** Declares a constant, unless the module has it already, and returns its name. */
  constant: (prefix: string, code: string) => string;
}

/** Ajv's runtime functions, and the functions of src/runtime.ts that replace them. */
const runtime: Readonly<Record<string, string>> = {
  'require("ajv/dist/runtime/ucs2length").default': "codePoints",
  "Object.prototype.hasOwnProperty": "hasOwnProperty",
};

/** Returns the code of a type's validator, renamed: Ajv's own names change with every added schema. */
export function validatorCode({ title, validate }: CompiledType, { functionOf, constant }: ModuleScope): string {
  const { source } = validate;
  if (!source) throw new Error(`${title} was compiled without its source`);
  const { func = [], pattern = [], schema = [], validate: calls = [] } = source.scopeValues;
  const names = new Map([[source.validateName.str, functionOf(validate.schema)]]);
  for (const { str, value } of func) names.set(str, runtimeName(String(value?.code)));
  for (const { str, value } of pattern) names.set(str, constant("pattern", `/* @__PURE__ */ ${String(value?.code)}`));
  for (const { str, value } of calls) {
    const called = value?.ref as typeof validate;
    names.set(str, functionOf(called.schema));
  }
  const schemas = new Map([...schema].map(({ str, value }) => [str, value?.ref]));
  const code = extractSchemaParts(boundLoops(source.validateCode), schemas, constant);
  return code.replace(/\b(?:validate|pattern|func|wrapper|root)\d+\b/g, (ajvName) => {
    const name = names.get(ajvName);
    if (!name) throw new Error(`${title} needs ${ajvName}, which scripts/validator-code.ts does not know`);
    return name;
  });
}

function runtimeName(code: string): string {
  const name = runtime[code];
  if (!name) throw new Error(`a validator needs ${code} at run time; write it in src/runtime.ts`);
  return name;
}

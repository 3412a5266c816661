import type { CompiledType } from "./compile-schemas.ts";

/** The module that the code is part of. */
export interface ModuleScope {
  /** Returns the name of the function that validates a schema. */
  functionOf: (schema: unknown) => string;
  /** Declares a constant, unless the module has it already, and returns its name. */
  constant: (prefix: string, code: string) => string;
}

/** Ajv's runtime functions, and the functions of src/validator.ts that replace them. */
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
  if (!name) throw new Error(`a validator needs ${code} at run time; write it in src/validator.ts`);
  return name;
}

/**
 * Replaces each part of a schema that a validator reads, such as `schema12.properties.role.enum`, with a constant, so that the
 * validator does not include the whole schema. Throws when a validator reads a schema in an unknown form.
 */
function extractSchemaParts(
  code: string,
  schemas: ReadonlyMap<string, unknown>,
  constant: (prefix: string, code: string) => string,
): string {
  const extracted = code.replace(/\b(schema\d+)((?:\.\w+|\[\d+\])+)/g, (_, schema: string, path: string) => {
    const keys = path.match(/\w+/g) ?? [];
    const part = keys.reduce((value, key) => (value as Record<string, unknown>)[key], schemas.get(schema));
    return constant(keys.at(-1) ?? "", JSON.stringify(keys.at(-1) === "properties" ? onlyNames(part) : part));
  });
  if (/\bschema\d+\b/.test(extracted)) throw new Error("a validator reads a schema in an unknown form");
  return extracted;
}

/** Returns `properties` without their schemas: a validator only needs the names. */
function onlyNames(properties: unknown): Record<string, true> {
  return Object.fromEntries(Object.keys(properties as object).map((name) => [name, true]));
}

/** Limit of errors per loop. Ajv would describe every invalid item, and a hostile body can have hundreds of thousands. */
export const enoughErrors = 20;

/**
 * Ends each loop of a validator after 20 errors. They are counted from the start of the loop, so that the errors of one branch
 * of a `oneOf` never end another early. Throws when a loop has an unknown form.
 */
export function boundLoops(code: string): string {
  let loops = 0;
  const bounded = code
    .replace(/^for\(let (i\d+)=0; \1<(len\d+); \1\+\+\)\{$/gm, (_, index: string, length: string) => {
      const before = `errorsBefore${loops++}`;
      return `const ${before} = errors;\nfor(let ${index}=0; ${index}<${length} && errors - ${before} < ${enoughErrors}; ${index}++){`;
    })
    .replace(/^for\(const \w+ in \w+\)\{$/gm, (loop) => {
      const before = `errorsBefore${loops++}`;
      return `const ${before} = errors;\n${loop}\nif(errors - ${before} >= ${enoughErrors}) break;`;
    });
  if (loops !== (code.match(/\b(for|while)\s?\(/g) ?? []).length)
    throw new Error("a validator has a loop of an unknown form");
  return bounded;
}

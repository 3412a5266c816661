import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneModule from "ajv/dist/standalone/index.js";
import type { NamedType, Schema } from "./read-schemas.ts";

const standalone = standaloneModule as unknown as (ajv: Ajv2020, refs: Record<string, string>) => string;

/** Ajv's two run-time imports, written out so that the validators need nothing at run time. */
const runtime = `
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
function ucs2length(text) {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) (length--, i++);
  return length;
}
`;

/** Stand-alone validators, one a type (`isExecuteTaskParams`), as TypeScript without any import of code. */
export function generateValidators(schemas: Map<string, Schema>, types: NamedType[]): string {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true, lines: true },
    formats: { uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i },
  });
  ajv.addVocabulary(["x-secret"]);
  for (const schema of schemas.values()) ajv.addSchema(schema);
  const ids = new Map([...schemas].map(([path, schema]) => [path, schema.$id]));
  const idOf = (ref: string): string => ref.replace(/^[^#]+/, (path) => ids.get(path) ?? path);
  const names = types.map(({ title, ref }) => [`is${title}`, idOf(ref)] as const);

  const code = standalone(ajv, Object.fromEntries(names))
    .replace(/^"use strict";\n?/, "")
    .replace(/^const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;$/gm, "const $1 = ucs2length;")
    .replace(/^const (formats\d+) = \/.*\/i?;$/gm, "const $1 = uuid;")
    .replace(/^export const (is\w+) = (\w+);$/gm, (_, name: string, fn: string) => {
      return `export const ${name}: Validator<Types.${name.slice(2)}> = ${fn} as never;`;
    });
  if (code.includes("require(")) throw new Error("a validator still needs a run-time import");
  for (const [name] of names) if (!code.includes(`export const ${name}: `)) throw new Error(`${name} was not generated`);
  return [
    "// @ts-nocheck",
    'import type * as Types from "./types.ts";',
    'import type { Validator } from "../validator.ts";',
    runtime,
    code,
  ].join("\n");
}

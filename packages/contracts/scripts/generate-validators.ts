import { Ajv2020, type Options } from "ajv/dist/2020.js";
import standaloneModule from "ajv/dist/standalone/index.js";
import type { Contract } from "./contract.ts";

const standalone = standaloneModule as unknown as (ajv: Ajv2020, refs: Record<string, string>) => string;

/** How the schemas are read. A format only says what a text is: many languages do not check it, so the pattern beside it decides. */
export const ajvOptions: Options = {
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  formats: { uuid: true },
  keywords: ["x-secret", "x-meanings"],
};

/** Ajv's one run-time import, written out so that the validators need nothing at run time: length in code points. */
const runtime = `
function ucs2length(text) {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) (length--, i++);
  return length;
}
`;

/**
 * A loop ends when it has found so much wrong: Ajv itself would describe every wrong item, and a hostile body holds hundreds
 * of thousands. Counted from the start of the loop, so that what one branch of a `oneOf` found never ends another early.
 */
const enoughErrors = 20;

function boundLoops(code: string): string {
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
    throw new Error("a validator has a loop of another form");
  return bounded;
}

/** Stand-alone validators, one a type (`isExecuteTaskParams`), as TypeScript without any import of code. */
export function generateValidators({ schemas, types }: Contract): string {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } });
  for (const [path, schema] of schemas) naming(path, () => ajv.addSchema(withoutLineFeedRule(schema)));
  const names = types.map(({ title, ref }) => {
    const [path = "", pointer] = ref.split("#");
    const id = [schemas.get(path)?.$id, pointer].filter(Boolean).join("#");
    naming(ref, () => ajv.getSchema(id));
    return [`is${title}`, id] as const;
  });

  const code = standalone(ajv, Object.fromEntries(names))
    .replace(/^"use strict";\n?/, "")
    .replace(/^const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;$/gm, "const $1 = ucs2length;")
    .replace(/^export const (is\w+) = (\w+);$/gm, (_, name: string, fn: string) => {
      return `export const ${name}: Validator<Types.${name.slice(2)}> = ${fn} as never;`;
    });
  const foreign = /require\("([^"]+)"\)/.exec(code);
  if (foreign) throw new Error(`a validator needs ${foreign[1]} at run time; write it out in generate-validators.ts`);
  for (const [name] of names)
    if (!code.includes(`export const ${name}: `)) throw new Error(`${name} was not generated`);
  return [
    "// @ts-nocheck",
    'import type * as Types from "./types.ts";',
    'import type { Validator } from "../validator.ts";',
    runtime,
    boundLoops(code),
  ].join("\n");
}

/**
 * The schema without the rule that a text has no line feed, which stands beside each pattern for Python, where `$` matches before
 * a last line feed too. Here the pattern alone decides it, and a wrong value gets one problem instead of two.
 */
export function withoutLineFeedRule<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withoutLineFeedRule) as Part;
  if (typeof part !== "object" || part === null) return part;
  const kept = Object.entries(part).filter(([name]) => name !== "not" || !("pattern" in part));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutLineFeedRule(value)])) as Part;
}

/** What Ajv refuses is told with the file it is in. */
function naming(path: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

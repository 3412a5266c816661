import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { ourSchemas, readJson } from "./read-json.ts";

const formats = new Map<string, ValidateFunction>();

/** Reads a file of schemas/fixtures. Throws when it does not have its format, or when two entries of a list share a name. */
export function readCorpusFile<Content extends object>(
  format: "cases" | "exchanges",
  path: string,
  schemasDir: string = ourSchemas,
): Content {
  const file = `fixtures/${path}`;
  const content = readJson(schemasDir, file);
  const hasFormat = formats.get(format) ?? compileFormat(format);
  if (!hasFormat(content)) {
    const problem = hasFormat.errors?.[0];
    throw new Error(
      `schemas/${file}#${problem?.instancePath} ${problem?.message}; schemas/fixtures/${format}-format.json describes it`,
    );
  }
  for (const [list, entries] of listsIn(content)) {
    const names = entries.map(({ name }) => name);
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) throw new Error(`schemas/${file}#${list}: two entries have the name ${repeated}`);
  }
  return content as Content;
}

/** The lists of named entries in a file, by JSON pointer. */
function* listsIn(content: unknown, pointer = ""): Generator<[pointer: string, entries: { name: string }[]]> {
  for (const [name, member] of Object.entries(content as object)) {
    const place = `${pointer}/${name.replaceAll("/", "~1")}`;
    if (Array.isArray(member)) yield [place, member as { name: string }[]];
    else if (typeof member === "object") yield* listsIn(member, place);
  }
}

function compileFormat(format: string): ValidateFunction {
  const schema = readJson(ourSchemas, `fixtures/${format}-format.json`) as object;
  const validate = new Ajv2020({ strictTypes: false }).compile(schema);
  formats.set(format, validate);
  return validate;
}

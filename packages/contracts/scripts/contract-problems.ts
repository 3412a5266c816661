import { type NamedType, resolveRef, type Schema, type SchemaFile, type Tables } from "./contract.ts";
import { subschemas } from "../src/schema-graph.ts";
import { isOf, keywords } from "../src/validator/validator.ts";

/** What a format says is checked by the pattern beside it. */
const formats = ["uuid"];

/** Yields what the generator can't handle, one line for each problem, each beginning with the file. */
export function* schemaProblems(schemas: Map<string, SchemaFile>, types: NamedType[]): Generator<string> {
  const refs = new Set(types.map(({ ref }) => ref));
  const owners = new Map([["Contract", "the generator"]]);
  for (const [path, file] of schemas) {
    if (typeof file.$id !== "string" || !file.$id.endsWith(`/schemas/${path}`))
      yield `${path}: $id must end in /schemas/${path}`;
    if (typeof file.title !== "string") yield `${path}: title is missing; it names the TypeScript type`;
    if (file.$defs && ["type", "oneOf", "enum"].some((keyword) => keyword in file))
      yield `${path}: has $defs beside a type of its own; give each definition a file, or move them to common.schema.json`;
    for (const [name, definition] of Object.entries(file.$defs ?? {}))
      if (definition.title !== name) yield `${path}#/$defs/${name}: title must be ${name}, like its key`;

    for (const [pointer, schema] of subschemas(file)) {
      const place = pointer ? `${path}#${pointer}` : path;
      for (const problem of unknownWords(schema)) yield `${place}: ${problem}`;
      if (schema.$ref !== undefined && !refs.has(resolveRef(schema.$ref, path)))
        yield `${place}: $ref ${schema.$ref} points at no schema of the contract`;
      for (const problem of languageProblems(schema)) yield `${place}: ${problem}`;
      if (schema["x-meanings"] && !sameMembers(Object.keys(schema["x-meanings"]), schema.enum ?? []))
        yield `${place}: x-meanings must describe each value of enum, and nothing else`;
      if (schema.title === undefined) continue;
      const { title } = schema;
      if (!/^[A-Z][A-Za-z0-9]*$/.test(title))
        yield `${place}: title "${title}" is no type name; write it like TaskAccepted`;
      const owner = owners.get(title);
      if (owner) yield `${place}: title "${title}" is taken by ${owner}; give each type a title of its own`;
      owners.set(title, place);
    }
  }
}

/** Yields what a schema says that validators and types would pass over. */
function* unknownWords(schema: Schema): Generator<string> {
  for (const keyword of Object.keys(schema))
    if (!keywords.has(keyword)) yield `no validator knows ${keyword}; say it with other keywords`;
  for (const type of [schema.type ?? []].flat()) if (!isOf[type]) yield `no value has the type ${type}`;
  if (schema.format !== undefined && !formats.includes(schema.format)) yield `format ${schema.format} is unknown`;
}

/** Returns the constants, patterns and formats of a schema that Python, Go (RE2) and JavaScript would interpret differently. */
function* languageProblems(schema: Schema): Generator<string> {
  const { pattern, format } = schema;
  if (isNumberAsText(schema.const) && schema.type !== "string")
    yield `const "${schema.const}" also matches a number in Go; put "type": "string" beside it`;
  if (format !== undefined && pattern === undefined)
    yield `format ${format} is not checked in every language; put a pattern beside it`;
  if (pattern === undefined) return;
  const foreign = /\\[ucdDwWsSbBkpP1-9]|\(\?[=!<P]/.exec(pattern.replaceAll("\\\\", ""));
  if (foreign)
    yield `pattern has ${foreign[0]}, which Python and Go read in another way or not at all; name the characters, or write \\x00`;
  const { not } = schema as { not?: Schema };
  if (pattern.endsWith("$") && not?.pattern !== "\\n")
    yield `pattern ends in $, which in Python matches before a last line feed; put "not": { "pattern": "\\\\n" } beside it`;
}

/** A string such as "2.0", which santhosh-tekuri/jsonschema compares as a number. */
function isNumberAsText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value));
}

function sameMembers(names: string[], values: unknown[]): boolean {
  return names.length === values.length && names.every((name) => values.includes(name));
}

/** Yields mismatches between a table and the schemas or another table, one line each, beginning with the file. */
export function* tableProblems(tables: Tables, types: NamedType[]): Generator<string> {
  yield* kindProblems("errors.json", tables.errors, enumOf("ErrorKind", types));
  yield* kindProblems("agent-errors.json", tables.agentErrors, enumOf("AgentErrorKind", types));
  yield* methodProblems(tables, types);
  yield* channelProblems(tables, types);
}

interface Kinds {
  title: string;
  kinds: string[];
}

function enumOf(title: string, types: NamedType[]): Kinds {
  return { title, kinds: (types.find((type) => type.title === title)?.schema.enum as string[] | undefined) ?? [] };
}

/** Checks that an error catalog has exactly one row for each kind. */
function* kindProblems(file: string, rows: object, { title, kinds }: Kinds): Generator<string> {
  for (const kind of kinds)
    if (!Object.hasOwn(rows, kind)) yield `${file}: no row for ${kind}, which common.schema.json has as an ${title}`;
  for (const kind of Object.keys(rows))
    if (!kinds.includes(kind)) yield `${file}: ${kind} is no ${title} of common.schema.json`;
}

function* methodProblems({ methods, errors }: Tables, types: NamedType[]): Generator<string> {
  for (const [name, row] of Object.entries(methods)) {
    for (const member of ["params", "result"] as const)
      if (!types.some(({ ref }) => ref === row[member]))
        yield `methods.json: ${name}.${member} ${row[member]} is no schema`;
    for (const kind of row.errors)
      if (!errors[kind]) yield `methods.json: ${name}.errors has ${kind}, which is no kind of errors.json`;
  }
}

function* channelProblems({ channels }: Tables, types: NamedType[]): Generator<string> {
  for (const [name, { message, key }] of Object.entries(channels)) {
    const type = types.find(({ ref }) => ref === message);
    if (!type) yield `channels.json: ${name}.message ${message} is no schema`;
    else if (!type.schema.required?.includes(key))
      yield `channels.json: ${name}.key ${key} is no required member of ${message}`;
  }
}

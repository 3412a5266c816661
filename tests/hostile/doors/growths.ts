import { readFileSync } from "node:fs";
import { posix } from "node:path";

/** One way in which what a caller sends can grow. */
export interface Growth<Sent> {
  readonly name: string;
  /** The most characters, elements or members that are legal. */
  readonly most: number;
  readonly at: (size: number) => Sent;
}

export type Members = Readonly<Record<string, unknown>>;

/** A schema with the file in which its references are. */
interface Located {
  readonly schema: Members;
  readonly file: string;
}

const files = new Map<string, Members>();
const fileOf = (path: string): Members =>
  files.getOrInsertComputed(
    path,
    () => JSON.parse(readFileSync(new URL(`../../../schemas/${path}`, import.meta.url), "utf8")) as Members,
  );

/** Returns the schema that a reference in a file of `schemas/` names. */
export function schemaAt(ref: string, from = ""): Located {
  const [path = "", fragment = ""] = ref.split("#");
  const file = path === "" ? from : posix.join(posix.dirname(from), path);
  const steps = fragment.split("/").slice(1);
  return { file, schema: steps.reduce((at, step) => at[step] as Members, fileOf(file)) };
}

/** Returns the schemas that describe the same value. */
function* described({ schema, file }: Located): Generator<Located> {
  yield { schema, file };
  if (typeof schema["$ref"] === "string" && !schema["$ref"].startsWith("#/components/"))
    yield* described(schemaAt(schema["$ref"], file));
  for (const word of ["oneOf", "anyOf", "allOf"])
    for (const one of (schema[word] ?? []) as readonly Members[]) yield* described({ schema: one, file });
}

/** Returns the schemas of a member or, without a name, of an element. */
const inside = (of: readonly Located[], name?: string): Located[] =>
  of.flatMap(({ schema, file }) => {
    const own = name === undefined ? undefined : ((schema["properties"] ?? {}) as Members)[name];
    const found = name === undefined ? schema["items"] : (own ?? schema["additionalProperties"]);
    return typeof found === "object" ? [...described({ schema: found as Members, file })] : [];
  });

const mostOf = (of: readonly Located[], word: string, otherwise: number): number => {
  const all = of.flatMap(({ schema }) => (typeof schema[word] === "number" ? [schema[word]] : []));
  return all.length === 0 ? otherwise : Math.min(otherwise, Math.max(...all));
};

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** A word that no zone says by itself. */
export const plantedWord = "heron";

/** What a text can be full of: the first is harmless, the others are what parsers, patterns and templates begin with. */
const fillers = ["a!", " ", plantedWord, "a=1,", "[", "${", "<@", "%41", "\n", "é,"];

/** Returns a text of a length; its last character ends no match of a pattern before it. */
const textOf = (filler: string, size: number): string =>
  filler === "a!"
    ? `${"a".repeat(Math.max(0, size - 1))}!`
    : filler.repeat(Math.ceil(size / filler.length)).slice(0, size);

/** Returns how a text can grow: full of each filler. The first matter most. */
export const texts = <Sent>(name: string, most: number, write: (text: string) => Sent): Growth<Sent>[] =>
  fillers.map((filler) => ({
    name: `${name} full of ${JSON.stringify(filler)}`,
    most,
    at: (size) => write(textOf(filler, size)),
  }));

/** Returns a value like another, and unlike those of other numbers. */
function another(value: unknown, number: number): unknown {
  if (typeof value === "string") return `${value.slice(0, 100)}-${number}`;
  if (typeof value === "number") return number;
  if (Array.isArray(value) || !isMembers(value)) return value;
  const [first] = Object.entries(value).find(([, member]) => typeof member === "string") ?? [];
  return first === undefined ? value : { ...value, [first]: another(value[first], number) };
}

interface Place {
  readonly schemas: readonly Located[];
  readonly place: string;
  /** Returns the whole with another value at the place. */
  readonly write: (value: unknown) => unknown;
}

/** Returns how a sample of JSON can grow: each text, list and object in it, as its schemas allow, to a length of all in characters. */
export function growthsOf(sample: unknown, schemas: readonly Located[], longest: number): Iterable<Growth<unknown>> {
  return growthsAt(sample, { schemas: schemas.flatMap((one) => [...described(one)]), place: "", write: (one) => one });

  function* growthsAt(value: unknown, { schemas: of, place, write }: Place): Generator<Growth<unknown>> {
    if (typeof value === "string") yield* texts(place, mostOf(of, "maxLength", longest), write);
    if (!isMembers(value)) return;
    const [first = 1] = Object.values(value);
    const fitting = Math.floor(longest / (JSON.stringify(first).length + 12));
    const isList = Array.isArray(value);
    const more = (size: number): unknown => {
      const all = Array.from({ length: size }, (_, n) => another(first, n));
      return isList ? all : { ...value, ...Object.fromEntries(all.map((one, n) => [`k${n}`, one])) };
    };
    const most = mostOf(of, isList ? "maxItems" : "maxProperties", fitting);
    yield { name: `${place} ${isList ? "elements" : "members"}`, most, at: (size) => write(more(size)) };
    for (const [name, member] of Object.entries(value).slice(0, isList ? 2 : undefined)) {
      const changed = (one: unknown): unknown => (isList ? value.with(Number(name), one) : { ...value, [name]: one });
      const at = { schemas: inside(of, isList ? undefined : name), place: `${place}/${name}` };
      yield* growthsAt(member, { ...at, write: (one) => write(changed(one)) });
    }
  }
}

const repeated = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const numbered = (size: number, write: (number: number) => string): string => {
  const width = write(99_999).length;
  return Array.from({ length: Math.floor(size / width) }, (_, n) => write(n)).join("");
};

/** How a body can grow whatever it means. */
export const bodies: Readonly<Record<string, (size: number) => string>> = {
  "nested lists": (size) => repeated("[", size),
  "nested objects": (size) => repeated('{"a":', size),
  digits: (size) => repeated("1", size),
  escapes: (size) => `"${repeated("\\u0041", size)}"`,
  "a text without end": (size) => `"${repeated("a", size)}`,
  spaces: (size) => repeated(" ", size),
  "one member again and again": (size) => `{${repeated('"a":1,', size)}"b":1}`,
  "other members": (size) => `{${numbered(size, (n) => `"k${n}":${n},`)}"b":1}`,
  "empty lists": (size) => `[${repeated("[],", size)}[]]`,
  "numbers that change": (size) => `{${numbered(size, (n) => `"k${n}":1e999,`)}"b":1}`,
};

export const forms: Readonly<Record<string, (size: number) => string>> = {
  "other fields": (size) => numbered(size, (n) => `${n}&`),
  "one field again and again": (size) => repeated("a=1&", size),
  "a long field": (size) => `a=${repeated("%41", size)}`,
  "a long name": (size) => repeated("a+", size),
  "JSON in a field": (size) => `payload=${encodeURIComponent(repeated("[", Math.floor(size / 3)))}`,
};

/** Returns a sample of what a schema without references describes, with all its members. */
export function sampleOf(schema: Members): unknown {
  const { type, properties = {}, items, enum: values, const: only } = schema as Members & { readonly enum?: unknown[] };
  if (only !== undefined || values !== undefined) return only ?? values?.[0];
  if (isMembers(items)) return [sampleOf(items)];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type !== "object" && schema["properties"] === undefined) return "a";
  return Object.fromEntries(
    Object.entries(properties as Members).map(([name, one]) => [name, sampleOf(one as Members)]),
  );
}

import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import type { NamedType } from "./contract.ts";
import { readCorpusFile } from "./read-corpus-file.ts";
import { ourSchemas } from "./read-json.ts";

/** A value that a schema accepts or refuses. */
export interface Case {
  /** Unique in the corpus: `task/attachment/valid/empty-file`. */
  readonly id: string;
  /** The path of the schema, without its extension: `task/attachment`. */
  readonly schema: string;
  readonly name: string;
  readonly valid: boolean;
  readonly value: unknown;
  /** JSON pointers that validation must report; empty when the value is valid. */
  readonly problems: readonly string[];
}

/** A case with the type that its value is checked against. */
export interface TypedCase extends Case {
  readonly type: NamedType;
}

const extension = ".cases.json";

type CasesOf = Readonly<Record<"valid" | "invalid", readonly Case[]>>;

/** Returns the cases of a schema such as `task/attachment`, valid ones first. Throws when they are missing or malformed. */
export function readCases(schema: string, schemasDir: string = ourSchemas): Case[] {
  const [path, name] = placeOf(schema);
  const cases = existsSync(join(schemasDir, "fixtures", path)) ? casesIn(path, schemasDir)[name] : undefined;
  if (!cases)
    throw new Error(
      `schemas/fixtures/${path} has no cases of ${name}. Write at least one valid and one invalid case of the schema, like those of attachment in schemas/fixtures/task${extension}.`,
    );
  const { valid, invalid } = cases;
  return [
    ...valid.map((one) => ({ ...one, id: `${schema}/valid/${one.name}`, schema, valid: true, problems: [] })),
    ...invalid.map((one) => ({ ...one, id: `${schema}/invalid/${one.name}`, schema, valid: false })),
  ];
}

/** Returns the cases of all schemas. Throws when cases belong to none of the types. */
export function readCorpus(types: readonly NamedType[], schemasDir: string = ourSchemas): TypedCase[] {
  const typeOf = new Map(types.map((type) => [schemaOf(type), type]));
  return globSync(`*${extension}`, { cwd: join(schemasDir, "fixtures") })
    .toSorted()
    .flatMap((path) =>
      Object.keys(casesIn(path, schemasDir)).flatMap((name) => {
        const schema = `${path.slice(0, -extension.length)}/${name}`;
        const type = typeOf.get(schema);
        if (!type) throw new Error(`${name} in schemas/fixtures/${path} is no schema. Name cases like their schema.`);
        return readCases(schema, schemasDir).map((one) => ({ ...one, type }));
      }),
    );
}

/** Each file is read and checked once. */
const read = new Map<string, Readonly<Record<string, CasesOf>>>();

/** The cases of a folder's schemas, by schema. */
function casesIn(path: string, schemasDir: string): Readonly<Record<string, CasesOf>> {
  const place = join(schemasDir, path);
  const { $schema: _format, ...cases } =
    read.get(place) ?? readCorpusFile<Readonly<Record<string, CasesOf>>>("cases", path, schemasDir);
  read.set(place, cases);
  return cases;
}

/** Where the cases of a schema are: `task/attachment` → `task.cases.json` and `attachment`. */
function placeOf(schema: string): [path: string, name: string] {
  const [folder = "", ...name] = schema.split("/");
  return [folder + extension, name.join("/")];
}

/** Returns what `readCases` calls the schema of a type: `task/attachment`, or `common/TaskId` for a definition in common.schema.json. */
export function schemaOf(type: NamedType): string {
  return type.ref.replace(".schema.json", "").replace("#/$defs/", "/");
}

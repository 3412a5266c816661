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

/** Returns the cases of a schema such as `task/attachment`, valid ones first. Throws when the file is missing or malformed. */
export function readCases(schema: string, schemasDir: string = ourSchemas): Case[] {
  const path = schema + extension;
  if (!existsSync(join(schemasDir, "fixtures", path)))
    throw new Error(
      `schemas/fixtures/${path} is missing. Write at least one valid and one invalid case of the schema, as in schemas/fixtures/task/attachment${extension}.`,
    );
  const { valid, invalid } = readCorpusFile<Record<"valid" | "invalid", Case[]>>("cases", path, schemasDir);
  return [
    ...valid.map((one) => ({ ...one, id: `${schema}/valid/${one.name}`, schema, valid: true, problems: [] })),
    ...invalid.map((one) => ({ ...one, id: `${schema}/invalid/${one.name}`, schema, valid: false })),
  ];
}

/** Returns the cases of all schemas. Throws when a file belongs to none of the types. */
export function readCorpus(types: readonly NamedType[], schemasDir: string = ourSchemas): TypedCase[] {
  const typeOf = new Map(types.map((type) => [schemaOf(type), type]));
  return globSync(`**/*${extension}`, { cwd: join(schemasDir, "fixtures") })
    .toSorted()
    .flatMap((path) => {
      const schema = path.slice(0, -extension.length);
      const type = typeOf.get(schema);
      if (!type) throw new Error(`schemas/fixtures/${path} belongs to no schema. Name it like its schema.`);
      return readCases(schema, schemasDir).map((one) => ({ ...one, type }));
    });
}

/** Returns what `readCases` calls the schema of a type: `task/attachment`, or `common/TaskId` for a definition in common.schema.json. */
export function schemaOf(type: NamedType): string {
  return type.ref.replace(".schema.json", "").replace("#/$defs/", "/");
}

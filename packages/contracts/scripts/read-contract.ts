import { globSync } from "node:fs";
import { resolve } from "node:path";
import type { Contract, NamedType, SchemaFile, Tables } from "./contract.ts";
import { schemaProblems, tableProblems } from "./contract-problems.ts";
import { ourSchemas, readJson } from "./read-json.ts";
import { fillEnumerations } from "./enumerations.ts";

const packageDir = resolve(import.meta.dirname, "..");

/** Reads and checks schemas/. Throws with one line for each problem, each naming its file. */
export function readContract(schemasDir: string = ourSchemas): Contract {
  const paths = globSync("**/*.schema.json", { cwd: schemasDir }).toSorted();
  const schemas = new Map(paths.map((path) => [path, readJson(schemasDir, path) as SchemaFile]));
  const tables = readTables(schemasDir);
  fillEnumerations({ schemas, ...tables });
  const types = namedTypes(schemas);
  const problems = [...schemaProblems(schemas, types), ...tableProblems(tables, types)];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const { version } = readJson(packageDir, "package.json") as { version: string };
  return { schemasDir, schemas, types, ...tables, version };
}

function readTables(schemasDir: string): Tables {
  return {
    errors: readJson(schemasDir, "errors.json") as Tables["errors"],
    agentErrors: readJson(schemasDir, "agent-errors.json") as Tables["agentErrors"],
    methods: readJson(schemasDir, "methods.json") as Tables["methods"],
    channels: readJson(schemasDir, "channels.json") as Tables["channels"],
  };
}

/** Each schema file is a type; in a file of `$defs`, each definition is one. */
function namedTypes(schemas: Map<string, SchemaFile>): NamedType[] {
  return [...schemas].flatMap(([path, schema]) => {
    if (!schema.$defs) return [{ title: schema.title, ref: path, schema }];
    return Object.entries(schema.$defs).map(([title, one]) => ({ title, ref: `${path}#/$defs/${title}`, schema: one }));
  });
}

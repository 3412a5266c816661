import { globSync } from "node:fs";
import { join } from "node:path";
import type { Fixture, NamedType } from "./contract.ts";
import { readJson } from "./read-json.ts";

/** Whole exchanges, not values of one type: the worked examples of the JSON-RPC specification, and what agents answer. */
const exchanges = ["jsonrpc-2.0/", "a2a/exchanges/", "simple-a2a/exchanges/"];

/** Reads the golden corpus, fixtures/<folder of the type>/{valid,invalid}/<what it shows>.json; refuses what belongs to no type. */
export function readFixtures(schemasDir: string, types: NamedType[]): Fixture[] {
  const folders = new Map(types.map((type) => [fixtureFolder(type), type]));
  return globSync("**/*.json", { cwd: join(schemasDir, "fixtures") })
    .filter((path) => !exchanges.some((folder) => path.startsWith(folder)))
    .toSorted()
    .map((path) => {
      const [, folder = "", verdict] = /^(.*)\/(valid|invalid)\/[^/]+$/.exec(path) ?? [];
      const type = folders.get(folder);
      if (!type)
        throw new Error(`fixtures/${path}: no schema has its fixtures there; use fixtures/<schema>/{valid,invalid}/`);
      return { path, type, ...readFixture(schemasDir, path, verdict === "valid") };
    });
}

function readFixture(schemasDir: string, path: string, valid: boolean): Pick<Fixture, "valid" | "value" | "problems"> {
  const content = readJson(schemasDir, `fixtures/${path}`);
  if (valid) return { valid, value: content, problems: [] };
  const { value, problems } = (content ?? {}) as { value?: unknown; problems?: string[] };
  if (value === undefined || !problems?.length)
    throw new Error(`fixtures/${path}: an invalid fixture is { "value": …, "problems": ["/pointer", …] }`);
  return { valid, value, problems };
}

/** Where the fixtures of a type are: `task/attachment`, and `common/TaskId` for a definition of common.schema.json. */
export function fixtureFolder(type: NamedType): string {
  return type.ref.replace(".schema.json", "").replace("#/$defs/", "/");
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract, Schema } from "./contract.ts";

type Named = Pick<Contract, "schemas" | "methods">;

/** An enumeration whose names another file decides. */
interface Enumeration {
  readonly path: string;
  /** The text of the file before it. */
  readonly before: string;
  readonly schema: Schema | undefined;
  readonly names: unknown[];
}

/** `pnpm generate` writes these, so that a new name is added in one place. */
function enumerationsOf({ schemas, methods }: Named): Enumeration[] {
  const [members, request] = ["workflow/members.schema.json", "jsonrpc/zone-request.schema.json"] as const;
  const steps = schemas.get("workflow/step.schema.json")?.oneOf ?? [];
  const types = steps.map(({ properties }) => properties?.["type"]?.const);
  const stepType = schemas.get(members)?.$defs?.["StepType"];
  const method = schemas.get(request)?.properties?.["method"];
  return [
    { path: members, before: '"title": "StepType",', schema: stepType, names: types },
    { path: request, before: '"method": {', schema: method, names: Object.keys(methods) },
  ];
}

/** Fills in the enumerations. Changes the schemas. */
export function fillEnumerations(contract: Named): void {
  for (const { schema, names } of enumerationsOf(contract)) if (schema && names.length > 0) schema.enum = names;
}

/** Returns the schema files that have such enumerations, as text, by path. */
export function withEnumerations({ schemasDir, ...contract }: Contract): [path: string, text: string][] {
  return enumerationsOf(contract).map(({ path, before, names }) => {
    const [head = "", tail = ""] = readFileSync(join(schemasDir, path), "utf8").split(before);
    return [path, head + before + tail.replace(/"enum": \[[^\]]*\]/, `"enum": ${JSON.stringify(names)}`)];
  });
}

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generateTypes } from "./generate-types.ts";
import { generateValidators } from "./generate-validators.ts";
import { readContract } from "./read-contract.ts";

test("a new schema becomes a type and a validator", async () => {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-schemas-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  cpSync(readContract().schemasDir, dir, { recursive: true, filter: (source) => basename(source) !== "fixtures" });
  const path = "task/new-thing.schema.json";
  const names = { $id: `https://crosszone.dev/schemas/${path}`, title: "SomethingNew" };
  const schema = { ...names, type: "object", required: ["size"], properties: { size: { type: "integer" } } };
  writeFileSync(join(dir, path), JSON.stringify(schema));
  const contract = readContract(dir);
  expect(await generateTypes(contract)).toContain("export interface SomethingNew {\n  size: number;");
  expect(generateValidators(contract)).toContain("export const isSomethingNew: SchemaValidator<Types.SomethingNew> = ");
});

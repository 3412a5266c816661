// suite: rest
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generateTypes, generateValidators } from "./generate-code.ts";
import { repoDir } from "./generate.ts";
import { readContract } from "../../../packages/contracts/src/testing/contract.ts";

test("an up-to-date file is not written again, so that file watchers do not restart", () => {
  const generated = join(repoDir, "packages/contracts/src/generated/validators.ts");
  const before = statSync(generated).mtimeMs;
  execFileSync(process.execPath, ["--conditions=@crosszone/source", resolve(import.meta.dirname, "generate.ts")]);
  expect(statSync(generated).mtimeMs).toBe(before);
});

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

test("an edit of schemas/ alone concerns both apps", () => {
  const turbo = ["ls", "--filter=...@crosszone/schemas", "--output=json"];
  const text = execFileSync(join(repoDir, "node_modules/.bin/turbo"), turbo, { cwd: repoDir, encoding: "utf8" });
  const { packages } = JSON.parse(text) as { packages: { items: { path: string }[] } };
  expect(packages.items.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["apps/execution", "apps/verification"]),
  );
});

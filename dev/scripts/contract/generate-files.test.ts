import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateFiles, repoDir } from "./generate.ts";
import { readContract } from "../../../packages/contracts/src/testing/contract.ts";

const files = await generateFiles(readContract());

test.each([...files])("%s matches the schemas; otherwise run `pnpm generate`", (path, text) => {
  expect(readFileSync(join(repoDir, path), "utf8")).toBe(text);
});

test("no page of the reference is left that nothing generates", () => {
  const pages = globSync("docs/reference/{api,protocol,types}/*.md", { cwd: repoDir });
  expect(pages.filter((path) => !files.has(path))).toEqual([]);
});

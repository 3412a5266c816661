import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateFiles, repoDir } from "./generate.ts";
import { readContract } from "../../../packages/contracts/src/testing/contract.ts";

const files = await generateFiles(readContract());

test.each([...files])("%s matches the schemas; otherwise run `pnpm generate`", (path, text) => {
  expect(readFileSync(join(repoDir, path), "utf8")).toBe(text);
});

test("these files are generated", () => {
  const paths = [...files.keys()];
  expect(paths.filter((path) => !/^docs\/reference\/(api|protocol|types)\//.test(path))).toEqual([
    "schemas/workflow/members.schema.json",
    "schemas/jsonrpc/zone-request.schema.json",
    "packages/contracts/src/generated/types.ts",
    "packages/contracts/src/generated/validators.ts",
    "packages/contracts/src/generated/errors.ts",
    "packages/contracts/src/generated/agent-errors.ts",
    "packages/contracts/src/generated/methods.ts",
    "packages/contracts/src/generated/channels.ts",
    "packages/contracts/openrpc.json",
    "docs/reference/api.md",
    "docs/reference/protocol.md",
    "docs/reference/agents.md",
  ]);
  const inFolders = globSync("docs/reference/{api,protocol,types}/*.md", { cwd: repoDir });
  expect(paths.filter((path) => path.startsWith("docs/reference/") && path.split("/").length > 3).toSorted()).toEqual(
    inFolders.toSorted(),
  );
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateFiles, repoDir } from "./generate-files.ts";
import { readContract } from "./read-contract.ts";

const files = await generateFiles(readContract());

test.each([...files])("%s matches the schemas; otherwise run `pnpm generate`", (path, text) => {
  expect(readFileSync(join(repoDir, path), "utf8")).toBe(text);
});

test("these files are generated", () => {
  expect([...files.keys()]).toEqual([
    "schemas/workflow/members.schema.json",
    "schemas/jsonrpc/zone-request.schema.json",
    "packages/contracts/src/generated/types.ts",
    "packages/contracts/src/generated/validators.ts",
    "packages/contracts/src/generated/errors.ts",
    "packages/contracts/src/generated/agent-errors.ts",
    "packages/contracts/src/generated/methods.ts",
    "packages/contracts/src/generated/channels.ts",
    "packages/contracts/openrpc.json",
    "docs/reference/protocol.md",
    "docs/reference/agents.md",
    "docs/reference/api.md",
  ]);
});

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { repoDir } from "./generate-files.ts";

test("an up-to-date file is not written again, so that file watchers do not restart", () => {
  const generated = join(repoDir, "packages/contracts/src/generated/validators.ts");
  const before = statSync(generated).mtimeMs;
  execFileSync(process.execPath, ["--conditions=@crosszone/source", resolve(import.meta.dirname, "generate.ts")]);
  expect(statSync(generated).mtimeMs).toBe(before);
});

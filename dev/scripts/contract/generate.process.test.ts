// suite: rest
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { repoDir } from "./generate.ts";

test("an up-to-date file is not written again, so that file watchers do not restart", () => {
  const generated = join(repoDir, "packages/contracts/src/generated/validators.ts");
  const before = statSync(generated).mtimeMs;
  execFileSync(process.execPath, ["--conditions=@crosszone/source", resolve(import.meta.dirname, "generate.ts")]);
  expect(statSync(generated).mtimeMs).toBe(before);
});

test("an edit of schemas/ alone concerns both apps", () => {
  const turbo = ["ls", "--filter=...@crosszone/schemas", "--output=json"];
  const text = execFileSync(join(repoDir, "node_modules/.bin/turbo"), turbo, { cwd: repoDir, encoding: "utf8" });
  const { packages } = JSON.parse(text) as { packages: { items: { path: string }[] } };
  expect(packages.items.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["apps/execution", "apps/verification"]),
  );
});

import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";

/** A copy of the working tree with this repository's installed packages. It is removed with the test. */
export interface ScratchRepository {
  /** Runs a program in the copy and returns its output. Throws if it fails. It avoids pnpm, which would check the installed packages. */
  readonly run: (program: string, ...args: string[]) => Promise<string>;
  /** Does what `pnpm generate` does. */
  readonly generate: () => Promise<void>;
}

const left = new Set([".git", ".turbo", ".vite", ".cache", ".tsbuildinfo", "dist", "bundle", "zones"]);

/** Creates a copy. `checked` are the folders that `pnpm typecheck` checks there, so that it takes seconds. */
export function createScratchRepository(checked: readonly string[]): ScratchRepository {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-walkthrough-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const filter = (path: string): boolean => !left.has(basename(path));
  for (const name of readdirSync(repoDir))
    // Links between packages are relative, so they lead to packages of the copy.
    if (name !== "node_modules" && filter(name))
      cpSync(join(repoDir, name), join(dir, name), { recursive: true, verbatimSymlinks: true, filter });
  symlinkSync(join(repoDir, "node_modules"), join(dir, "node_modules"));
  writeFileSync(
    join(dir, "tsconfig.walkthrough.json"),
    JSON.stringify({ extends: "./tsconfig.json", include: checked }),
  );

  const env = { TEST_POSTGRES_URL: inject("postgresUrl"), VITEST: "", NODE_COMPILE_CACHE: "" };
  const runProgram = (program: string, ...args: string[]) => run(program, args, { cwd: dir, env });
  return {
    run: runProgram,
    generate: async () => {
      const options = ["--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"];
      for (const script of ["packages/contracts/scripts/generate.ts", "dev/scripts/generate-docs.ts"])
        await runProgram(process.execPath, ...options, script);
    },
  };
}

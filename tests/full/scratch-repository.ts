import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { applyDiff, type WalkthroughStep } from "../harness/read-page.ts";
import { repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";

/** A copy of the working tree with this repository's installed packages. It is removed with the test. */
export interface ScratchRepository {
  readonly dir: string;
  /** Performs a step of a walkthrough. Throws if a diff does not fit, or a command ends unexpectedly. */
  readonly follow: (step: WalkthroughStep) => Promise<void>;
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

  return {
    dir,
    follow: async (step) => {
      if (step.kind === "run") return runCommand(dir, step);
      const file = join(dir, step.path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, step.kind === "write" ? step.text : applyDiff(readFileSync(file, "utf8"), step.text));
    },
  };
}

async function runCommand(dir: string, { command, fails }: WalkthroughStep & { kind: "run" }): Promise<void> {
  const [program = "", ...args] = inCopy(command);
  const env = { TEST_POSTGRES_URL: inject("postgresUrl"), VITEST: "", NODE_COMPILE_CACHE: "" };
  const outcome = await run(program, args, { cwd: dir, env }).then(
    () => undefined,
    (error: Error) => error,
  );
  if (outcome !== undefined && !fails) throw outcome;
  if (outcome === undefined && fails) throw new Error(`"${command}" does not fail.`);
}

/** `pnpm generate` without turbo. */
const generating = [
  `"${process.execPath}" packages/contracts/scripts/generate.ts`,
  `"${process.execPath}" --conditions=@crosszone/source --disable-warning=ExperimentalWarning dev/scripts/generate-docs.ts`,
].join(" && ");

/** Returns the program for a command of a walkthrough. It avoids pnpm, which would check the installed packages. */
function inCopy(command: string): readonly string[] {
  if (command === "pnpm generate") return ["sh", "-c", generating];
  if (command === "pnpm typecheck") return ["node_modules/.bin/tsc", "-p", "tsconfig.walkthrough.json"];
  const [, program, args = ""] = /^pnpm exec (\w+) (.*)$/.exec(command) ?? [];
  if (program === undefined) throw new Error(`A walkthrough can't run "${command}".`);
  return [`node_modules/.bin/${program}`, ...args.split(" ")];
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "./run-command.ts";

const repoDir = resolve(import.meta.dirname, "../..");

/** A build in its own folder. */
export interface PreviousBuild {
  readonly dir: string;
  readonly remove: () => void;
}

/** What is known of the previous build without its files. */
export interface FoundBuild {
  /** Its commit or tag; undefined if no test can run it. */
  readonly name?: string;
  /** Whether it runs on the tables of this build: all migrations that it lacks are additive. */
  readonly canGoBack: boolean;
  /** What can't be tested, and why. */
  readonly untested?: string;
}

/** Finds the previous build: the last release, or the commit before the last change of a zone. */
export function findPreviousBuild(): FoundBuild {
  const released = git("describe", "--tags", "--abbrev=0", "--match", "crosszone@*", "HEAD^");
  const changed = git("rev-list", "--first-parent", "--max-count=1", "HEAD", "--", "apps", "packages", "schemas");
  const name = released ?? (changed === undefined ? undefined : git("rev-parse", "--short", "--verify", `${changed}^`));
  const before = name === undefined ? undefined : stepsOf((path) => git("show", `${name}:${path}`));
  if (name === undefined || before === undefined)
    return { canGoBack: false, untested: "an upgrade from the previous build, which is not in the git history here" };
  const now = stepsOf((path) => readFileSync(join(repoDir, path), "utf8")) ?? [];
  if (!before.every((step) => now.includes(step)))
    return { canGoBack: false, untested: `an upgrade from ${name}, whose tables are of before the first release` };
  const canGoBack = now.every((step) => before.includes(step) || / \d{4}_add_/.test(step));
  if (canGoBack) return { name, canGoBack };
  return { name, canGoBack, untested: `the way back to ${name}, which can't use the tables of this build` };
}

/** Returns the names of the migrations of both zones; undefined if a file is missing. */
function stepsOf(read: (path: string) => string | undefined): string[] | undefined {
  const steps = ["execution", "verification"].map((zone) => {
    const text = read(`apps/${zone}/src/database/migrations.ts`);
    return text === undefined ? undefined : [...text.matchAll(/"(\d{4}_\w+)":/g)].map(([, step]) => `${zone} ${step}`);
  });
  return steps.some((of) => of === undefined) ? undefined : steps.flatMap((of = []) => of);
}

/** Checks a commit out into a temporary folder and installs the packages of its zones, from the package store where possible. */
export async function installPreviousBuild(name: string): Promise<PreviousBuild> {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-previous-"));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  try {
    const archive = join(dir, "archive.tar");
    await run("git", ["archive", "--output", archive, name], { cwd: repoDir });
    await run("tar", ["-xf", archive, "-C", dir], { cwd: dir });
    const zones = ["--filter", "@crosszone/execution...", "--filter", "@crosszone/verification..."];
    await run("pnpm", ["install", "--prefer-offline", "--frozen-lockfile", ...zones], { cwd: dir });
    return { dir, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function git(...args: readonly string[]): string | undefined {
  try {
    return (
      execFileSync("git", args, { cwd: repoDir, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() ||
      undefined
    );
  } catch {
    return undefined;
  }
}

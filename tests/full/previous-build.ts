import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "./run-command.ts";

const repoDir = resolve(import.meta.dirname, "../..");

/** The previous build, in its own folder. */
export interface PreviousBuild {
  readonly dir: string;
  /** Its commit or tag. */
  readonly name: string;
  readonly remove: () => void;
}

/**
 * Returns the commit of the previous build: the last release, or the commit before the last change of a zone. Undefined if the git history is too
 * short.
 */
export function findPreviousBuild(): string | undefined {
  const released = git("describe", "--tags", "--abbrev=0", "--match", "crosszone@*", "HEAD^");
  if (released !== undefined) return released;
  const changed = git("rev-list", "--first-parent", "--max-count=1", "HEAD", "--", "apps", "packages", "schemas");
  return changed === undefined ? undefined : git("rev-parse", "--short", "--verify", `${changed}^`);
}

/** Returns the commit before the one that added a file. Undefined if the git history is too short. */
export function findBuildBefore(file: string): string | undefined {
  const added = git("log", "--max-count=1", "--diff-filter=A", "--format=%H", "HEAD", "--", file);
  return added === undefined ? undefined : git("rev-parse", "--short", "--verify", `${added}^`);
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
    await run("pnpm", ["install", "--prefer-offline", "--frozen-lockfile", "--prod", ...zones], { cwd: dir });
    return { dir, name, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Files in which this build and earlier ones declare additive migrations. */
const additionFiles = ["packages/sql/src/migrations/inspection.ts", "packages/sql/src/additive-step.ts"];

/** Returns whether a build opens databases that a newer build added to. */
export const runsOnAdditions = (dir: string): boolean => additionFiles.some((file) => existsSync(join(dir, file)));

/** Returns whether an older build runs on the tables of this one: all migrations that it lacks are additive. */
export function canGoBack(dir: string): boolean {
  const named = (root: string): string[] =>
    ["execution", "verification"].flatMap((zone) => {
      const text = readFileSync(join(root, "apps", zone, "src/database/migrations.ts"), "utf8");
      return [...text.matchAll(/"(\d{4}_\w+)":/g)].map(([, name = ""]) => `${zone} ${name}`);
    });
  const known = new Set(named(dir));
  return named(repoDir).every((name) => known.has(name) || / \d{4}_add_/.test(name));
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

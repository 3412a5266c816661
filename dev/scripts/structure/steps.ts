import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The digest of each migration step by zone, step and engine: `pnpm generate` writes it. */
export const stepsFile = "packages/sql/src/generated/steps.json";

const added = /^\+\s+"(?<step>[^"]+)": "(?<digest>[^"]+)"/gm;

/**
 * Returns one sentence for each migration step that does something else than when it was committed, or is gone. Databases have it as it was, and
 * compare its digest. A branch counts with what it merges: until then, its own step may change its number.
 */
export function findChangedSteps(folder: string = root): string[] {
  const options = ["-p", "--reverse", "--format=", "--first-parent", "--diff-merges=first-parent"];
  const log = execFileSync("git", ["log", ...options, "--", stepsFile], { cwd: folder, encoding: "utf8" });
  const now = JSON.parse(readFileSync(resolve(folder, stepsFile), "utf8")) as Record<string, string>;
  const first = new Map<string, string>();
  for (const { groups: { step = "", digest = "" } = {} } of log.matchAll(added))
    if (!first.has(step)) first.set(step, digest);
  return [...first]
    .filter(([step, digest]) => now[step] !== digest)
    .map(
      ([step]) =>
        `The migration step ${step} was committed with other statements, and databases have it as it was. Restore it, and add a step with the ` +
        "change (0000_add_… if it only adds); then run pnpm generate.",
    );
}

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { matchesGlob, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Every test file depends on these. */
const everyones = ["pnpm-lock.yaml", "vitest.config.ts", "tests/run/*"];

/** Returns the patterns of the line `// inputs: kits/** tools/agent/**` at the top of a test file, or undefined without one. */
export function inputsOf(text: string): readonly string[] | undefined {
  return /^(?:\/\/ .*\n)*?\/\/ inputs: (.+)\n/.exec(text)?.[1]?.split(" ");
}

/** Returns the files that differ from the build before. Where that is unknown, any may. */
function readDiffering(): readonly string[] | "any" {
  try {
    const landed = readFileSync(resolve(root, ".ci/landed"), "utf8").trim();
    const printed = execFileSync("git", ["diff", "--name-only", "--no-renames", landed], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return printed.split("\n").filter(Boolean);
  } catch {
    return "any";
  }
}

let differing: readonly string[] | "any" | undefined;

/** Returns whether a file that one of these patterns matches differs from the build before. True in a run that tries all, and where that build is unknown. */
export function mayDiffer(...patterns: readonly string[]): boolean {
  if (Number(process.env["TEST_SHARE"] ?? 1) === 1) return true;
  differing ??= readDiffering();
  return differing === "any" || differing.some((file) => patterns.some((pattern) => matchesGlob(file, pattern)));
}

/** The test files of which `isLeft` was true. */
export const left = new Set<string>();

/** Returns whether a test file is left to the night: it names its inputs, because it costs minutes and reads little, and the change touches none of them. */
export function isLeft(path: string): boolean {
  const inputs = inputsOf(readFileSync(path, "utf8"));
  if (inputs === undefined || mayDiffer(relative(root, path), ...inputs, ...everyones)) return false;
  left.add(relative(root, path));
  return true;
}

import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * The suites in which a test file runs. Without a line at its top it is `quick`, and in `tests/full` it is `whole`. `rest`: it starts processes, generates load,
 * or needs seconds. `both`: the quick suite does a part of it, on SQLite and with some of its cases, and `rest` what is left. `waits`: it mostly waits, so that others
 * work beside it. `load`: it has the machine to itself.
 */
export type Suite = "quick" | "rest" | "both" | "whole" | "waits" | "load";

/** Returns the suite that the first line of a test file names, as `// suite: rest`. */
function suiteOf(path: string): Suite | undefined {
  const [first = ""] = readFileSync(path, "utf8").split("\n", 1);
  return /^\/\/ suite: (rest|both|waits|load)$/.exec(first)?.[1] as Suite | undefined;
}

/** Returns the test files below a folder that are in one of these suites, relative to the folder. */
export function filesOf(
  suites: readonly Suite[],
  folder: string,
  { include, without = "quick" }: { readonly include: readonly string[]; readonly without?: Suite },
): string[] {
  const files = globSync([...include], { cwd: folder, exclude: ["**/node_modules/**", "**/dist/**"] });
  return files.filter((file) => suites.includes(suiteOf(resolve(folder, file)) ?? without));
}

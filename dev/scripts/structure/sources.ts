import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** A TypeScript file of the repository. Paths are relative to its root, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** The files of the repository that it imports, types included. Packages are not followed. */
  readonly imports: readonly string[];
}

/** Relative specifiers of `import`, `export … from` and `import()`. */
const specifiers = /(?:\bfrom|\bimport|\bimport\()\s*"(\.{1,2}\/[^"?]+\.ts)"/g;

/** Returns every file that git tracks, relative to the root. A file that the README says to save here is none of them. */
export function listFiles(): string[] {
  const deleted = new Set(git("ls-files", "--deleted"));
  return git("ls-files", "--deduplicate").filter((path) => !deleted.has(path));
}

/** The files of an earlier commit, and how many lines each file gained since. */
interface Earlier {
  readonly files: readonly string[];
  readonly gained: ReadonlyMap<string, number>;
}

/** Returns what changed since the build before, the commit in `.ci/landed`. Throws if it is not in the history here. */
export function readEarlier(): Earlier {
  const commit = readFileSync(resolve(root, ".ci/landed"), "utf8").trim();
  const rows = git("diff", "--numstat", "--no-renames", commit).map((row) => row.split("\t"));
  return {
    files: git("ls-tree", "-r", "--name-only", commit),
    gained: new Map(rows.map(([added, removed, path = ""]) => [path, Number(added) - Number(removed)])),
  };
}

/** Returns the number of lines of a file. */
export const countLines = (path: string): number => readFileSync(resolve(root, path), "utf8").split("\n").length - 1;

/** Returns the hand-written TypeScript files among `files`. */
export const readSources = (files: readonly string[]): Source[] =>
  files.filter((path) => path.endsWith(".ts") && !path.includes("/generated/")).map(readSource);

/** Returns whether a file is part of what runs: no test, no contract suite, no support of tests. */
export const isProduct = (path: string): boolean =>
  /^(apps|packages|tools)\/[^/]+\/src\//.test(path) && !/\.(test|contract)\.ts$|\/testing\//.test(path);

function readSource(path: string): Source {
  const text = readFileSync(resolve(root, path), "utf8");
  const imports = [...text.matchAll(specifiers)].map(([, specifier = ""]) =>
    posix.join(posix.dirname(path), specifier),
  );
  return { path, text, lines: text.split("\n").length - 1, imports };
}

function git(...words: string[]): string[] {
  return execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 })
    .split("\n")
    .filter(Boolean);
}

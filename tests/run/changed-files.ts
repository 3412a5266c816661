import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import type { Reporter, Vitest } from "vitest/node";

const root = resolve(import.meta.dirname, "../..");

/** What a run saw of the repository, and which of its test files did not pass. Paths are relative to the root. */
interface Seen {
  /** A digest of each file that git lists, and of all that a test file loaded or opened. */
  readonly digests: Readonly<Record<string, string>>;
  readonly failed: readonly string[];
}

/** Of Vitest, without documentation: the words of a run that name some files only. */
type Run = Vitest & { readonly filenamePattern?: readonly string[] };

/** What Vitest asks which files changed, with `--changed`. */
interface ChangedFiles {
  readonly findChangedFiles: (options: { readonly resolver: Resolver }) => Promise<string[]>;
}

interface Resolver {
  /** What the test files of the run loaded and opened, and test files without a record, which have no time. */
  readonly getDependencies: () => Promise<{ file: string; recordedAt?: number }[]>;
}

/** Every test file depends on these: the runner resolves and compiles modules by them. */
const ofTheRunner = /^(package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|tsconfig.*\.json)$/;

/** Vitest runs all test files when its configuration changed. */
const everything = ["vitest.config.ts"];

/**
 * Returns what makes `vitest --changed` run the test files that loaded or opened a file that changed since a run of the same projects saw it, those that
 * failed, and new ones. It runs all of them if there was no such run, after a change of a file that none of them ever opened, and if `runsAll`.
 */
export function changedFiles({ runsAll }: { readonly runsAll: boolean }): {
  readonly vcsProvider: ChangedFiles;
  readonly reporter: Reporter;
} {
  const pathOf = (): string =>
    resolve(root, `node_modules/.cache/crosszone/seen-${vitest?.config.project.join("-") ?? ""}.json`);
  let run: { readonly resolver: Resolver; readonly digests: Seen["digests"] } | undefined;
  let vitest: Run | undefined;
  const isPart = (): boolean =>
    vitest?.filenamePattern !== undefined || vitest?.getGlobalTestNamePattern() !== undefined;
  return {
    vcsProvider: {
      findChangedFiles: async ({ resolver }) => {
        const dependencies = await resolver.getDependencies();
        const opened = new Set(dependencies.map(({ file }) => relative(root, file)));
        const digests = digestsOf(opened);
        run = { resolver, digests };
        const seen = readSeen(pathOf());
        if (seen === undefined || runsAll) return everything;
        const changed = changesOf(seen.digests, digests);
        // Who opens all may open any file: that says of none who needs it.
        const trees = [...opened].filter((path) => isTree(path) && path !== "**").map(dirname);
        const isOpened = (file: string) => opened.has(file) || trees.some((tree) => below(tree, [file]).length > 0);
        const isUnknown = (file: string) =>
          !isOpened(file) || !(file in seen.digests) || ofTheRunner.test(basename(file));
        if (changed.some(isUnknown)) return everything;
        const unknown = dependencies.filter(({ recordedAt }) => recordedAt === undefined).map(({ file }) => file);
        return [...changed, ...seen.failed, ...unknown];
      },
    },
    reporter: {
      onInit: (started) => void (vitest = started),
      onTestRunEnd: async (modules, errors, reason) => {
        if (run === undefined || isPart() || reason === "interrupted" || errors.length > 0) return;
        const opened = new Set((await run.resolver.getDependencies()).map(({ file }) => relative(root, file)));
        const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => relative(root, moduleId));
        // What git does not list is digested now if this run was the first that opened it.
        const later = digestsOf(opened);
        const first = Object.fromEntries(Object.entries(later).filter(([file]) => opened.has(file)));
        writeSeen(pathOf(), { digests: { ...first, ...run.digests }, failed });
      },
    },
  };
}

/** Returns the paths that differ, are new or are gone. */
function changesOf(before: Seen["digests"], now: Seen["digests"]): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => before[path] !== now[path]);
}

function readSeen(path: string): Seen | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Seen;
  } catch {
    return undefined;
  }
}

function writeSeen(path: string, seen: Seen): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(seen));
}

/** Returns a digest of each file that git lists or would add, and of what else was opened. */
function digestsOf(opened: ReadonlySet<string>): Record<string, string> {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const files = listed.toString().split("\0").filter(Boolean);
  const digests: Record<string, string> = {};
  for (const path of new Set([...files, ...opened])) {
    const stats = statSync(resolve(root, path), { throwIfNoEntry: false });
    if (stats?.isFile() === true) digests[path] = digestOf(readFileSync(resolve(root, path)));
    else if (stats?.isDirectory() === true) digests[path] = digestOf(below(path, files).join("\n"));
  }
  for (const tree of [...opened].filter(isTree))
    digests[tree] = digestOf(
      below(dirname(tree), files)
        .map((file) => digests[file])
        .join("\n"),
    );
  return digests;
}

const digestOf = (content: string | Uint8Array): string => createHash("sha1").update(content).digest("base64");

/** Whether a note stands for all below a folder. */
const isTree = (path: string): boolean => basename(path) === "**";

const below = (folder: string, files: readonly string[]): string[] =>
  files.filter((file) => folder === "" || folder === "." || file.startsWith(`${folder}/`));

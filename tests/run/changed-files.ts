import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import process from "node:process";
import type { Reporter, Vitest } from "vitest/node";

const root = resolve(import.meta.dirname, "../..");

/** What a run saw of the repository, and which of its test files did not pass. Paths are relative to the root. */
interface Seen {
  /** A digest of each file that git lists, and of all that a test file loaded or opened. */
  readonly digests: Readonly<Record<string, string>>;
  readonly failed: readonly string[];
}

/** Of Vitest, without documentation: the words of a run that name some files only. */
interface Filters {
  readonly filenamePattern?: readonly string[];
}

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
 * Returns what makes `vitest --changed` run the test files that loaded or opened a file that changed since a run of this name saw it, those that
 * failed, and new ones. It runs all of them if there was no such run, in CI, and after a change of a file that no test file ever opened.
 */
export function changedFiles(name: string): { readonly vcsProvider: ChangedFiles; readonly reporter: Reporter } {
  const path = resolve(root, `node_modules/.cache/crosszone/seen-${name}.json`);
  let run: { readonly resolver: Resolver; readonly digests: Seen["digests"] } | undefined;
  let vitest: (Vitest & Filters) | undefined;
  const isPart = (): boolean =>
    vitest?.filenamePattern !== undefined || vitest?.getGlobalTestNamePattern() !== undefined;
  return {
    vcsProvider: {
      findChangedFiles: async ({ resolver }) => {
        const dependencies = await resolver.getDependencies();
        const opened = new Set(dependencies.map(({ file }) => relative(root, file)));
        const digests = digestsOf(opened);
        run = { resolver, digests };
        const seen = readSeen(path);
        if (seen === undefined || process.env["CI"] !== undefined) return everything;
        const changed = changesOf(seen.digests, digests);
        const isUnknown = (file: string) =>
          !opened.has(file) || !(file in seen.digests) || ofTheRunner.test(basename(file));
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
        writeSeen(path, { digests: { ...first, ...run.digests }, failed });
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

/** Returns a digest of each file that git lists or would add, and of what else was opened. A folder is what it contains of them. */
function digestsOf(opened: ReadonlySet<string>): Record<string, string> {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const files = listed.toString().split("\0").filter(Boolean);
  const names = new Map<string, Set<string>>();
  for (const file of files)
    for (let path = file; path !== "."; path = dirname(path)) {
      const folder = dirname(path);
      names.set(folder === "." ? "" : folder, (names.get(folder === "." ? "" : folder) ?? new Set()).add(path));
    }
  const digests: Record<string, string> = {};
  for (const path of new Set([...files, ...opened])) {
    const digest = digestOf(path, names.get(path));
    if (digest !== undefined) digests[path] = digest;
  }
  return digests;
}

/** Returns `undefined` for what does not exist. */
function digestOf(path: string, children: ReadonlySet<string> | undefined): string | undefined {
  const hash = createHash("sha1");
  if (children !== undefined) return hash.update([...children].toSorted().join("\n")).digest("base64");
  const stats = statSync(resolve(root, path), { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return readdirSync(resolve(root, path)).toSorted().join("\n");
  if (stats?.isFile() !== true) return undefined;
  return hash.update(readFileSync(resolve(root, path))).digest("base64");
}

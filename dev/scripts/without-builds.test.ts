import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { listFiles, readSources } from "./structure/sources.ts";

const root = resolve(import.meta.dirname, "../..");
const sources = new Map(readSources(listFiles()).map((source) => [source.path, source]));

/** Imports of values from a package of this repository. */
const ofPackage = /^(?:import|export) (?!type\b)[^;]*?from "@crosszone\/|\bimport\("@crosszone\//m;

/** Returns the files that a program loads from relative imports, itself included. */
function loadedBy(program: string): readonly string[] {
  const loaded = new Set([program]);
  for (const path of loaded) for (const next of sources.get(path)?.imports ?? []) loaded.add(next);
  return [...loaded];
}

/** The scripts that start a program without `--conditions=@crosszone/source`, which loads packages from `src` instead of `dist`. */
const programs = [
  "package.json",
  ...globSync("{apps,bench,dev,packages,tests,tools}/{.,*}/package.json", { cwd: root }),
].flatMap((manifest) => {
  const { scripts = {} } = JSON.parse(readFileSync(resolve(root, manifest), "utf8")) as {
    scripts?: Record<string, string>;
  };
  return Object.entries(scripts).flatMap(([name, command]) =>
    [...command.matchAll(/\bnode ((?:--\S+ )*)(\S+\.ts)\b/g)]
      .filter(([, flags = ""]) => !flags.includes("--conditions=@crosszone/source"))
      .map(([, , path = ""]) => [`${name} of ${manifest}`, join(dirname(manifest), path)] as const),
  );
});

test.each(programs)("%s runs before anything is built: %s imports no package of this repository", (_name, program) => {
  expect(sources.has(program)).toBe(true);
  const files = loadedBy(program).filter((path) => ofPackage.test(sources.get(path)?.text ?? ""));
  expect(files, "Start it with --conditions=@crosszone/source.").toEqual([]);
});

test("the command that a newcomer runs first loads packages from their sources", () => {
  const { scripts } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as { scripts: { dev: string } };
  expect(programs.length).toBeGreaterThan(5);
  // pnpm prints the command of a script: this one says how to start next time.
  expect(scripts.dev).toBe("./crosszone dev");
  const started = readFileSync(resolve(root, "crosszone"), "utf8");
  expect(started).toContain(`--conditions=@crosszone/source "$root/dev/scripts/crosszone.ts"`);
});

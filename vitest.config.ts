import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { slowestFiles } from "./tests/slowest-files.ts";

const conditions = ["@crosszone/source", "node"];
const packages = globSync("{apps,dev,packages,tools}/*/package.json", { cwd: import.meta.dirname }).map(dirname);

/** Starts a real PostgreSQL for the projects whose tests need one. */
const globalSetup = resolve(import.meta.dirname, "dev/testkit/src/postgres/global-setup.ts");
const withPostgres = new Set([
  "sql",
  "audit",
  "jobs",
  "kafka-gateway",
  "agent-bridge",
  "workflow",
  "verification",
  "execution",
  "bench",
  "e2e",
  "full",
]);

/** What a test says that does more than in the quick suite. */
const doesMore = /\b(onBothEngines|contractOnSameTables|migrationsContract)\b|inject\("engines"\)/;

/** The files that the quick suite leaves out, or does only in part. */
const restOf = (root: string, include: readonly string[]): string[] =>
  globSync([...include], { cwd: root, exclude: ["**/node_modules/**"] }).filter(
    (file) => file.endsWith(".process.test.ts") || doesMore.test(readFileSync(resolve(root, file), "utf8")),
  );

const projectOf = (folder: string, patterns: readonly string[]) => {
  const name = /^dev\/(agents|slack)$/.test(folder) ? `dev-${basename(folder)}` : basename(folder);
  const root = resolve(import.meta.dirname, folder);
  return {
    extends: true as const,
    root,
    test: { name, include: [...patterns], ...(withPostgres.has(name) && { globalSetup }) },
  };
};

/** The tests of all packages, and those over several packages. */
const everywhere = ["{apps,dev,packages,tools}/*/src/**/*.test.ts", "{bench,dev/scripts,tests/docs,tests/e2e}/**/*.test.ts"];

/** It replaces the clock in statements, which modules keep. */
const ownModules = "tests/e2e/clock-jumps.process.test.ts";

/** All of them as one project: the files of a worker share the modules of all packages, but for one that changes them. */
const asOne = (name: "quick" | "rest") => {
  const root = import.meta.dirname;
  const include = (name === "rest" ? restOf(root, everywhere) : everywhere).filter((file) => file !== ownModules);
  const shared = { extends: true as const, root, test: { name, include, globalSetup } };
  const isolated = { ...shared, test: { name: "rest-isolated", include: [ownModules], globalSetup, isolate: true } };
  return name === "rest" ? [shared, isolated] : [shared];
};

/** Ten thousand connections, a hundred thousand bodies, two hundred stops within a second each, a program's load: they have the machine to themselves. */
const alone = "{connections,hostile,program-load,stop-everything}.test.ts";

/** Chaos mostly waits, and stretches its plans on a busy machine. 66 agents at once and the pages' slow ones wait too; the simulation has its own clock. */
const waiting = "{chaos,curl,interop/matrix,shown-commands,simulation}.test.ts";

/** Minutes each: they begin first, so that the other workers aren't idle while one of them ends. */
const long =
  /\/(a2a-clients|backup|chaos|frameworks|images|killed-writers|kits|legal-agents|legal-models|long-log|mcp-cancel|mcp-waiting|simulation|starter|upgrade|walkthroughs)\.(process\.)?test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is no array.
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(long.test(b.moduleId)) - Number(long.test(a.moduleId)));
  }
}

/** The official suites, and clients and servers of others: one after the other, because each has its own clocks. */
const externalProject = () => {
  const { test, ...external } = projectOf("tests/external", ["**/*.test.ts"]);
  return { ...external, test: { ...test, name: "external", testTimeout: 600_000, fileParallelism: false } };
};

/** The tests of `tests/full`: first those that mostly wait, three files at once, then chaos beside what needs no time of its own, then the others one by one. */
const fullProjects = () => {
  const { test, ...full } = projectOf("tests/full", ["**/*.test.ts"]);
  // Removing a clone with its packages takes more than a minute on a slow disk.
  const slow = { ...test, testTimeout: 120_000, hookTimeout: 600_000 };
  const exclude = ["**/node_modules/**", alone, waiting];
  const shared = { ...slow, exclude, maxWorkers: 3, sequence: { groupOrder: 1 } };
  const killed = { ...slow, name: "full-waits", include: [waiting], maxWorkers: 3, sequence: { groupOrder: 2 } };
  const serial = { ...slow, name: "full-load", include: [alone], fileParallelism: false, sequence: { groupOrder: 3 } };
  return [shared, killed, serial].map((of) => ({ ...full, test: of }));
};

const isQuick = (mode: string): boolean => mode !== "all" && mode !== "rest";

/**
 * One project a package, and of the tests over several packages: `scripts`, `docs`, `e2e`, `full`, which only `test:all` runs, and `external`. The mode
 * `all` adds the tests that start processes, and PostgreSQL beside SQLite. The modes `quick` and `rest` have all packages as one project:
 * what runs without `all`, and what `all` adds. `pnpm test` runs the first, `pnpm test:all` both.
 */
export default defineConfig(({ mode }) => ({
  ssr: { resolve: { conditions } },
  resolve: { conditions },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    setupFiles: resolve(import.meta.dirname, "tests/set-up.ts"),
    exclude: ["**/node_modules/**", "**/dist/**", ...(isQuick(mode) ? ["**/*.process.test.ts"] : [])],
    provide: { engines: isQuick(mode) ? "sqlite" : "both", isRest: mode === "rest" },
    reporters: ["default", slowestFiles()],
    sequence: { sequencer: LongFirst },
    // Hundreds of zones start as processes: each takes what the ones before it compiled.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, "node_modules/.cache/node") },
    // Loading modules costs more than most tests: in the quick suite the files of a worker share them.
    isolate: mode === "all",
    // The quick suite computes: more workers than this would each load the same modules, and end no sooner. Tests that start processes also wait.
    maxWorkers: Math.ceil((isQuick(mode) ? 1.5 : 2) * availableParallelism()),
    projects: [
      ...(mode === "quick" || mode === "rest" ? asOne(mode) : []),
      ...packages.map((root) => projectOf(root, ["src/**/*.test.ts"])),
      ...["bench", "dev/scripts", "tests/docs", "tests/e2e"].map((root) => projectOf(root, ["**/*.test.ts"])),
      ...fullProjects(),
      externalProject(),
    ],
  },
}));

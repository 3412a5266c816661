import { globSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { changedFiles } from "./tests/run/changed-files.ts";
import { costs } from "./tests/run/costs.ts";
import { flickers, onceMore } from "./tests/run/flickers.ts";
import { isLeft, left } from "./tests/run/inputs.ts";

const conditions = ["@crosszone/source", "node"];
const root = import.meta.dirname;
const packages = globSync("{apps,dev,packages,tools}/*/package.json", { cwd: root }).map(dirname);

/**
 * The suites in which a test file runs. Without a line at its top it is `quick`, and in `tests/full` it is `whole`. `rest`: it starts processes, generates load,
 * or needs seconds. `both`: the quick suite does a part of it, on SQLite and with some of its cases, and `rest` what is left. `waits`: it mostly waits, so that others
 * work beside it. `load`: it has the machine to itself.
 */
type Suite = "quick" | "rest" | "both" | "whole" | "waits" | "load";

/** Returns the suite that the first line of a test file names, as `// suite: rest`. */
function suiteOf(path: string): Suite | undefined {
  const [first = ""] = readFileSync(path, "utf8").split("\n", 1);
  return /^\/\/ suite: (rest|both|waits|load)$/.exec(first)?.[1] as Suite | undefined;
}

/** Returns the test files below a folder that are in one of these suites, relative to the folder. */
function filesOf(
  suites: readonly Suite[],
  folder: string,
  { include, without = "quick" }: { readonly include: readonly string[]; readonly without?: Suite },
): string[] {
  const files = globSync([...include], { cwd: folder, exclude: ["**/node_modules/**", "**/dist/**"] });
  const isTaken = (path: string): boolean => suites.includes(suiteOf(path) ?? without) && !isLeft(path);
  return files.filter((file) => isTaken(resolve(folder, file)));
}

/** Starts a real PostgreSQL for the projects whose tests need one. */
const globalSetup = resolve(root, "dev/testkit/src/postgres/global-setup.ts");
const withPostgres = new Set([
  "testkit",
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

/** The tests of a folder: all, or those of the quick suite. */
const projectOf = (folder: string, mode: string, patterns: readonly string[]) => {
  const name = /^dev\/(agents|slack)$/.test(folder) ? `dev-${basename(folder)}` : basename(folder);
  const suites: readonly Suite[] = mode === "all" ? ["quick", "both", "rest"] : ["quick", "both"];
  const include = filesOf(suites, resolve(root, folder), { include: patterns });
  return {
    extends: true as const,
    root: resolve(root, folder),
    test: { name, include, ...(withPostgres.has(name) && { globalSetup }) },
  };
};

/** The tests of all packages, and those over several packages. */
const everywhere = [
  "{apps,dev,packages,tools}/*/src/**/*.test.ts",
  "{bench,dev/scripts,tests/{docs,e2e,run}}/**/*.test.ts",
];

/** Says what a change leaves to the night, so that nothing is left out in silence. */
const sayLeft = (): void => {
  if (left.size > 0)
    console.info(`LEFT TO THE NIGHT, because no input differs from the build before: ${[...left].join(", ")}`);
};

/** It replaces the clock in statements, which modules keep. */
const ownModules = "tests/e2e/clock-jumps.process.test.ts";

/** All of them as one project: the files of a worker share the modules of all packages, but for one that changes them. The quick suite needs no PostgreSQL. */
const asOne = (name: "quick" | "rest") => {
  const include = filesOf([name, "both"], root, { include: everywhere }).filter((file) => file !== ownModules);
  const quick = { extends: true as const, root, test: { name, include } };
  if (name === "quick") return [quick];
  const shared = { ...quick, test: { ...quick.test, globalSetup } };
  const isolated = { ...shared, test: { name: "rest-isolated", include: [ownModules], globalSetup, isolate: true } };
  return [shared, isolated];
};

/** Where the quick suite has its files: in memory if there is a gigabyte, because a test that waits for a disk proves no more. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= 1e9 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Long beside the others of their suite: they begin first, so that no worker is idle while one of them ends. */
const long =
  /\/(a2a-clients|agent-dev|backup|bounded-reads|chaos|console-find|data-keys|doubled-inputs|fires|frameworks|images|killed-executors|kits|mcp-waiting|message-life|message-plans|no-secret-in-logs|run-trees|simulation|site|slack-in-use|sleeping-workflows|starter|upgrade|walkthroughs)\.(process\.)?test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is no array.
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(long.test(b.moduleId)) - Number(long.test(a.moduleId)));
  }
}

/** The official suites, and clients and servers of others: one after the other, because each has its own clocks. */
const externalProject = {
  extends: true as const,
  root: resolve(root, "tests/external"),
  test: { name: "external", testTimeout: 600_000, fileParallelism: false },
};

/** A run that tries a share of its cases tries one database engine. */
const share = Number(process.env["TEST_SHARE"] ?? 1);
const engines = share < 1 ? ("one" as const) : ("both" as const);

/** The tests of `tests/full`, in three projects: those that work, those that mostly wait, and those that have the machine to themselves, one by one. */
const fullProjects = (["whole", "waits", "load"] as const).map((suite) => ({
  extends: true as const,
  root: resolve(root, "tests/full"),
  test: {
    name: suite === "whole" ? "full" : `full-${suite}`,
    include: filesOf([suite], resolve(root, "tests/full"), { include: ["**/*.test.ts"], without: "whole" }),
    globalSetup: [globalSetup, resolve(root, "tests/full/one-browser.ts")],
    // Removing a clone with its packages takes more than a minute on a slow disk.
    hookTimeout: 600_000,
    provide: { engines },
    fileParallelism: suite !== "load",
    maxWorkers: 3,
    sequence: { groupOrder: { whole: 1, waits: 2, load: 3 }[suite] },
  },
}));

/**
 * One project a package, and of the tests over several packages: `scripts`, `docs`, `e2e`, `full`, which only `test:all` runs, and `external`. The mode
 * `all` adds the tests that start processes, and PostgreSQL beside SQLite. The modes `quick` and `rest` have all packages as one project:
 * what runs without `all`, and what `all` adds. `pnpm test` runs the first, `pnpm test:all` both.
 */
export default defineConfig(({ mode }) => {
  const isQuick = mode !== "all" && mode !== "full" && mode !== "rest";
  const { CI, TEST_SHARE } = process.env;
  // CI runs the whole quick suite, and notes nothing of it.
  const records = mode === "full" || (mode === "quick" && CI === undefined);
  const { vcsProvider, reporter } = changedFiles({ runsAll: mode === "quick" ? CI !== undefined : TEST_SHARE === "1" });
  return {
    ssr: { resolve: { conditions } },
    resolve: { conditions },
    test: {
      // A test waits for a state, and a busy machine may take long to reach it: these end only what never will.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      ...onceMore,
      ...((CI === undefined || isQuick) && { retry: 0 }),
      setupFiles: resolve(root, "tests/run/set-up.ts"),
      exclude: ["**/node_modules/**", "**/dist/**"],
      provide: { engines: isQuick ? ("sqlite" as const) : engines, isRest: mode === "rest" },
      reporters: ["default", costs(), flickers(), reporter, ...(isQuick ? [] : [{ onInit: sayLeft }])],
      sequence: { sequencer: LongFirst },
      // Hundreds of zones start as processes: each takes what the ones before it compiled.
      env: { NODE_COMPILE_CACHE: resolve(root, "node_modules/.cache/node"), ...(isQuick && { TMPDIR: quickFolder() }) },
      // Loading modules costs more than most tests: in the quick suite the files of a worker share them.
      isolate: mode === "all" || mode === "full",
      // A third of the time of the quick suite is waiting. Tests that start processes need more of a core.
      maxWorkers: Math.ceil((isQuick ? 3 : 2) * availableParallelism()),
      experimental: { recordDependencies: records, vcsProvider },
      execArgv: [
        // Fewer collections of garbage, MB: most objects of a file live until its end.
        ...(isQuick ? ["--max-semi-space-size=32"] : []),
        ...(records ? [`--import=${resolve(root, "tests/run/opened-files.mjs")}`] : []),
      ],
      projects: [
        ...(mode === "quick" || mode === "rest" ? asOne(mode) : []),
        ...packages.map((folder) => projectOf(folder, mode, ["src/**/*.test.ts"])),
        ...["bench", "dev/scripts", "tests/docs", "tests/e2e"].map((folder) =>
          projectOf(folder, mode, ["**/*.test.ts"]),
        ),
        ...fullProjects,
        externalProject,
      ],
    },
  };
});

import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { slowestFiles } from "./tests/slowest-files.ts";

const conditions = ["@crosszone/source", "node"];
const packages = globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: import.meta.dirname }).map(
  dirname,
);

/** Starts a real PostgreSQL for the projects whose tests need one. */
const globalSetup = resolve(import.meta.dirname, "packages/testkit/src/postgres/global-setup.ts");
const withPostgres = new Set(["sql", "bus", "agent-bridge", "workflow", "verification", "execution", "e2e", "full"]);

const projectOf = (root: string, include: readonly string[]) => {
  const name = basename(root);
  return {
    extends: true as const,
    root: resolve(import.meta.dirname, root),
    test: {
      name,
      include: [...include],
      ...(withPostgres.has(name) && { globalSetup }),
      // Ten thousand connections, a hundred thousand bodies, a browser: each has the machine for itself.
      ...(name === "full" && { testTimeout: 120_000, fileParallelism: false }),
    },
  };
};

/**
 * One project a package, and of the tests over several packages: `scripts`, `docs`, `e2e`, and `full`, which only `test:all` runs. The mode
 * `all`, as in `pnpm test:all`, adds the tests that start processes, and PostgreSQL beside SQLite.
 */
export default defineConfig(({ mode }) => ({
  ssr: { resolve: { conditions } },
  resolve: { conditions },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    exclude: ["**/node_modules/**", "**/dist/**", ...(mode === "all" ? [] : ["**/*.process.test.ts"])],
    provide: { engines: mode === "all" ? "both" : "sqlite" },
    reporters: ["default", slowestFiles()],
    // Loading modules costs more than most tests: in the quick suite the files of a worker share them.
    isolate: mode === "all",
    // Most of a test over both zones is waiting: two workers a core keep the cores busy.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      ...packages.map((root) => projectOf(root, ["src/**/*.test.ts", "scripts/**/*.test.ts"])),
      ...["scripts", "tests/docs", "tests/e2e", "tests/full"].map((root) => projectOf(root, ["**/*.test.ts"])),
    ],
  },
}));

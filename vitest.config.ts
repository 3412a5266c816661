import { globSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";

const conditions = ["@crosszone/source", "node"];
const packages = globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: import.meta.dirname }).map(
  dirname,
);

/** Starts a real PostgreSQL for the projects whose tests need one. */
const globalSetup = resolve(import.meta.dirname, "packages/testkit/src/postgres/global-setup.ts");
const withPostgres = new Set(["sql", "bus", "agent-bridge", "workflow", "verification", "execution", "e2e", "full"]);

/** One project a package, plus the root's scripts and the end-to-end tests; `full`, with the browser, is run by `test:all` only. */
export default defineConfig({
  ssr: { resolve: { conditions } },
  resolve: { conditions },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      ...packages.map((root) => ({
        extends: true as const,
        root: resolve(import.meta.dirname, root),
        test: {
          name: basename(root),
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          ...(withPostgres.has(basename(root)) && { globalSetup }),
        },
      })),
      ...["scripts", "tests/e2e", "tests/full"].map((root) => ({
        extends: true as const,
        root: resolve(import.meta.dirname, root),
        test: {
          name: basename(root),
          include: ["**/*.test.ts"],
          ...(withPostgres.has(basename(root)) && { globalSetup }),
          testTimeout: root === "tests/full" ? 120_000 : 60_000,
          // Ten thousand connections, a hundred thousand bodies, a browser: each has the machine for itself.
          fileParallelism: root !== "tests/full",
        },
      })),
    ],
  },
});

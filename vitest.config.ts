import { globSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";

const conditions = ["@crosszone/source", "node"];
const roots = globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: import.meta.dirname }).map(dirname);

/** One project a package, plus the end-to-end tests; the browser has a project of its own, which only `test:all` runs. */
export default defineConfig({
  ssr: { resolve: { conditions } },
  resolve: { conditions },
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      ...roots.map((root) => ({
        extends: true as const,
        root: resolve(import.meta.dirname, root),
        test: { name: basename(root), include: ["src/**/*.test.ts", "scripts/**/*.test.ts"] },
      })),
      ...["e2e", "full"].map((name) => ({
        extends: true as const,
        root: resolve(import.meta.dirname, "tests", name),
        test: { name, include: ["**/*.test.ts"], testTimeout: name === "full" ? 120_000 : 30_000 },
      })),
    ],
  },
});

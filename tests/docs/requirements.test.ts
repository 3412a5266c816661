import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { requirements } from "../requirements.ts";

const root = resolve(import.meta.dirname, "../..");
const files = globSync(
  [
    "{apps,dev,packages}/*/{src,scripts}/**/*.{test,contract}.ts",
    "dev/testkit/src/*.ts",
    "{bench,tests/docs,tests/e2e,tests/external,tests/full}/**/*.test.ts",
  ],
  {
    cwd: root,
    exclude: ["**/node_modules/**"],
  },
);

/** The ids at the start of a title: `Z3, Z4: …`. */
const cited = new Set(
  files.flatMap((file) => {
    const titles = readFileSync(resolve(root, file), "utf8").matchAll(/["'`]((?:[A-Z]\d+(?:\.\d+)?(?:, )?)+): /g);
    return [...titles].flatMap(([, ids = ""]) => ids.split(", "));
  }),
);

test("every requirement is cited by a test, and no test cites one that is not listed", () => {
  const ids = Object.keys(requirements);
  expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  expect([...cited].filter((id) => !ids.includes(id))).toEqual([]);
});

import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { checks } from "../hostile/doors/checks.ts";
import { plantedChanges } from "../sim/faults/plants.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(resolve(root, path), "utf8");

test("the text that a planted bug replaces is once in its file", () => {
  const times = ({ file, from }: (typeof plantedChanges)[number]): number => read(file).split(from).length - 1;
  expect(plantedChanges.filter((change) => times(change) !== 1)).toEqual([]);
  expect(plantedChanges.length).toBeGreaterThan(12);
});

test("each pattern of a check that tests take out of the doors is in the product", () => {
  const paths = globSync("{apps,packages}/*/src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts", "**/testing/**"] });
  const sources = paths.map(read).join("\n");
  const gone = Object.entries(checks).flatMap(([name, changes]) =>
    changes.flatMap(([from]) => (sources.search(from) < 0 ? [`${name}: ${String(from)}`] : [])),
  );
  expect(gone).toEqual([]);
});

test("each patch of the walkthroughs applies", () => {
  const patches = globSync("examples/walkthroughs/*.patch", { cwd: root });
  expect(patches.length).toBeGreaterThan(3);
  // Git names what does not apply, with its line.
  for (const patch of patches) execFileSync("git", ["apply", "--check", patch], { cwd: root });
});

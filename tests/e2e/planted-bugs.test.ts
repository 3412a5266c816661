import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { plantedChanges } from "../sim/faults/plants.ts";

test("the text that a planted bug replaces is once in its file", () => {
  const times = ({ file, from }: (typeof plantedChanges)[number]): number =>
    readFileSync(resolve(import.meta.dirname, "../..", file), "utf8").split(from).length - 1;
  expect(plantedChanges.filter((change) => times(change) !== 1)).toEqual([]);
});

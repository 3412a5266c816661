import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Place } from "./mutants.ts";

/** What one test file executes: the ranges of each source, with how often each ran. */
export interface TestCoverage {
  readonly test: string;
  readonly passes: boolean;
  readonly milliseconds: number;
  readonly sources: Readonly<Record<string, readonly (readonly [start: number, end: number, count: number])[]>>;
}

/** Reads what `covering-runner.ts` wrote. */
export const readCoverage = (folder: string): TestCoverage[] =>
  existsSync(folder)
    ? readdirSync(folder).map((name) => JSON.parse(readFileSync(resolve(folder, name), "utf8")) as TestCoverage)
    : [];

/** Returns the test files that execute a place and pass, those first that are nearest to its source and execute the least else. */
export function testsOf(place: Place, coverage: readonly TestCoverage[]): TestCoverage[] {
  const distance = ({ test, sources }: TestCoverage): number => {
    const isBeside = dirname(test) === dirname(place.file);
    const isNamesake = isBeside && basename(test).split(".")[0] === basename(place.file, ".ts");
    return Object.keys(sources).length / (isNamesake ? 1_000 : isBeside ? 10 : 1);
  };
  return coverage.filter((of) => of.passes && executes(of, place)).toSorted((a, b) => distance(a) - distance(b));
}

/** Code outside of functions runs when the first file of a worker loads it: it belongs to all tests that call a function of its source. */
function executes({ sources }: TestCoverage, { file, offset, inFunction }: Place): boolean {
  const ranges = sources[file] ?? [];
  if (!inFunction) return ranges.some(([start, , count]) => start > 0 && count > 0);
  const around = ranges.filter(([start, end]) => start <= offset && offset < end);
  const [innermost] = around.toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]));
  return innermost !== undefined && innermost[2] > 0;
}

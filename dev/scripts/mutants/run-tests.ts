import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import type { Place } from "./mutants.ts";

const root = resolve(import.meta.dirname, "../../..");
const config = resolve(import.meta.dirname, "vitest.config.ts");
const cache = resolve(root, "node_modules/.cache/mutants");
const report = resolve(cache, "report.json");

/** The first test that failed. */
export interface Failure {
  readonly test: string;
  readonly title: string;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/**
 * Runs test files of a suite in this order, in a new process, until one fails. Returns what failed, `"timeout"` if they did not end
 * in time, or `undefined` if all passed. Without files it runs all of them, whatever fails.
 */
export async function runTests(
  files: readonly string[],
  {
    suite = "quick",
    milliseconds,
    environment,
  }: {
    readonly suite?: "quick" | "rest";
    readonly milliseconds: number;
    readonly environment: Readonly<Record<string, string>>;
  },
): Promise<Failure | "timeout" | undefined> {
  rmSync(report, { force: true });
  const project = ["--config", config, "--mode", suite, "--project", `${suite}*`, "--passWithNoTests"];
  const reporter = ["--reporter=json", `--outputFile=${report}`];
  const bail = files.length > 0 ? ["--bail", "1"] : [];
  const vitest = resolve(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...project, ...reporter, ...bail, ...files], {
    cwd: root,
    // A group of its own: a mutant that never ends is killed with its workers.
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    // oxlint-disable-next-line node/no-process-env -- not an app: the tests get the environment of the command
    env: { ...process.env, NODE_COMPILE_CACHE: resolve(cache, "compiled"), ...environment },
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid!, "SIGKILL");
  }, milliseconds);
  const code = await new Promise<number | null>((done) => child.once("exit", done));
  clearTimeout(timer);
  if (isLate) return "timeout";
  return code === 0 ? undefined : firstFailure();
}

function firstFailure(): Failure {
  if (!existsSync(report)) throw new Error("Vitest wrote no report.");
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  for (const { name, status, assertionResults } of testResults) {
    const failed = assertionResults.find((result) => result.status === "failed");
    const title = failed?.fullName ?? "the file itself";
    if (failed !== undefined || status === "failed") return { test: relative(root, name), title };
  }
  return { test: relative(root, testResults[0]?.name ?? root), title: "an error outside of tests" };
}

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

/**
 * `pnpm measure:mutants draw` draws 200 small faults of the product that the quick suite executes, `run` notes which test finds each, and
 * `again` runs the found ones once more after tests changed: it fails if one is lost. `run 50 100` takes a part of `tests/mutants.json`.
 * The faults are written into the sources of this checkout, one after the other: use a checkout where nobody works.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { startPostgres } from "../testkit/src/postgres/start-postgres.ts";
import { drawMutants, findPlaces, mutate, roomOf, type Mutant, type Place } from "./mutants/mutants.ts";
import { readCoverage, runTests, testsOf, type Failure, type TestCoverage } from "./mutants/run-tests.ts";
import { isProduct, listFiles, readSources } from "./structure/sources.ts";

/** A mutant of the table. It has no result before it ran. */
interface Row extends Mutant {
  /** How many test files execute it. */
  readonly tests: number;
  readonly result?: "killed" | "timeout" | "survived" | "equivalent" | "unexecuted";
  readonly by?: Failure;
  /** Why no test can find it, or none does. */
  readonly why?: string;
}

interface Table {
  readonly seed: number;
  readonly mutants: readonly Row[];
  /** Drawn too, but only tests of processes execute them, or none. */
  readonly unexecuted: readonly Mutant[];
}

const root = resolve(import.meta.dirname, "../..");
const tablePath = resolve(root, "tests/mutants.json");
const cache = resolve(root, "node_modules/.cache/mutants");
const order = { seed: 20_261_128, count: 200, least: 5 };

/** The nearest tests run first: a mutant that never ends costs no more than they may take. */
const nearest = 3;
const leastPatienceMs = 90_000;
const hourMs = 3_600_000;

const [command = "", first = "0", end = "9999"] = process.argv.slice(2);
const isAsked = (index: number): boolean => index >= Number(first) && index < Number(end);

// One database server for all runs: the tests' own would start for each.
const postgres = await startPostgres({ fsync: false });
const environment = { TEST_POSTGRES_URL: postgres.url };
try {
  if (command === "draw") await draw();
  else if (command === "run") await run();
  else if (command === "again") process.exitCode = (await again()) === 0 ? 0 : 1;
  else throw new Error(`Expected draw, run or again, got "${command}".`);
} finally {
  await postgres.stop();
}

async function draw(): Promise<void> {
  const coverage = await cover();
  const { drawn, unexecuted } = drawMutants(placesNow(), order, (place) => testsOf(place, coverage).length > 0);
  const mutants = drawn.map((place) => ({ ...toMutant(place), tests: testsOf(place, coverage).length }));
  writeTable({ seed: order.seed, mutants, unexecuted: unexecuted.map(toMutant) });
  say(`${mutants.length} mutants, and ${unexecuted.length} that no quick test executes`);
}

/** Runs the rows without a result, and writes the table after each. */
async function run(): Promise<void> {
  const [coverage, places] = [await cover(), placesByKey()];
  const { mutants, ...rest } = readTable();
  const rows = [...mutants];
  for (const [index, row] of rows.entries()) {
    if (row.result !== undefined || !isAsked(index)) continue;
    const outcome = await runMutant(row, testsOf(places.get(keyOf(row))!, coverage));
    rows[index] = { ...row, ...outcome };
    writeTable({ ...rest, mutants: rows });
    say(`${index} ${outcome.result}: ${nameOf(row)} ${outcome.by?.test ?? ""}`);
  }
}

/** Runs each found mutant against the file that found it, and against all that execute it now if that file finds it no more. Returns how many are lost. */
async function again(): Promise<number> {
  const places = placesByKey();
  const lost: Row[] = [];
  for (const [index, row] of readTable().mutants.entries()) {
    if (!isAsked(index) || (row.result !== "killed" && row.result !== "timeout")) continue;
    const place = places.get(keyOf(row));
    if (place === undefined) {
      say(`${index} gone: the product has no longer the lines of ${nameOf(row)}`);
      continue;
    }
    const { result, by } = await findAgain(row, place);
    say(`${index} ${result}: ${nameOf(row)} ${by?.test ?? ""}`);
    if (result === "survived") lost.push(row);
  }
  for (const row of lost) say(`lost: ${nameOf(row)}, which ${row.by?.test} found: ${row.by?.title}`);
  say(`${lost.length} lost`);
  return lost.length;
}

/** Tries the file that found the mutant, also if it has moved to the suite that only CI runs, then all that execute its line now. */
async function findAgain({ by, ...mutant }: Row, place: Place): Promise<Pick<Row, "result" | "by">> {
  if (by !== undefined && existsSync(resolve(root, by.test)))
    for (const suite of ["quick", "rest"] as const) {
      const outcome = await runMutant(mutant, [{ test: by.test, milliseconds: 0 }], suite);
      if (outcome.result !== "survived") return outcome;
    }
  return runMutant(mutant, testsOf(place, await cover()));
}

/** Writes the mutant into its source, runs the tests, and writes the source back. */
async function runMutant(
  mutant: Mutant,
  tests: readonly Pick<TestCoverage, "test" | "milliseconds">[],
  suite: "quick" | "rest" = "quick",
): Promise<Pick<Row, "result" | "by">> {
  const file = resolve(root, mutant.file);
  const text = readFileSync(file, "utf8");
  const faulty = mutate(text, mutant);
  if (faulty === undefined) throw new Error(`${nameOf(mutant)}: the file has its lines no more`);
  writeFileSync(file, faulty);
  try {
    for (const some of [tests.slice(0, nearest), tests.slice(nearest)]) {
      if (some.length === 0) continue;
      const usual = some.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      const milliseconds = Math.max(leastPatienceMs, 3 * usual);
      const files = some.map(({ test }) => test);
      const failure = await runTests(files, { suite, milliseconds, environment });
      if (failure === "timeout") return { result: "timeout" };
      if (failure !== undefined) return { result: "killed", by: failure };
    }
    return { result: "survived" };
  } finally {
    writeFileSync(file, text);
  }
}

/** Returns what each quick test file executes. Measures it once a commit: that takes twice as long as the quick suite. */
async function cover(): Promise<TestCoverage[]> {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const folder = resolve(cache, commit);
  if (!existsSync(folder)) {
    // Coverage of functions from a cache of compiled code is less precise.
    const covering = { MUTANTS_COVERAGE: `${folder}.part`, NODE_DISABLE_COMPILE_CACHE: "1" };
    await runTests([], { milliseconds: hourMs, environment: { ...environment, ...covering } });
    renameSync(`${folder}.part`, folder);
  }
  return readCoverage(folder);
}

function placesNow(): Place[] {
  const sources = readSources(listFiles()).filter(({ path }) => isProduct(path) && roomOf(path) !== undefined);
  return sources.flatMap(({ path, text }) => findPlaces(path, text));
}

function placesByKey(): Map<string, Place> {
  return new Map(placesNow().map((place) => [keyOf(place), place]));
}

function keyOf({ file, kind, from, to, nth }: Mutant): string {
  return JSON.stringify([file, kind, from, to, nth]);
}

function toMutant({ offset: _offset, inFunction: _inFunction, ...mutant }: Place): Mutant {
  return mutant;
}

function nameOf({ file, line, kind }: Mutant): string {
  return `${file}:${line} ${kind}`;
}

function readTable(): Table {
  return JSON.parse(readFileSync(tablePath, "utf8")) as Table;
}

function writeTable(table: Table): void {
  writeFileSync(tablePath, `${JSON.stringify(table, undefined, 2)}\n`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOptions } from "../kit/benchmark.ts";
import { comparison as benchmark } from "./benchmark.ts";
import { compare, type Finding } from "./measure.ts";
import { renderComparison, rowsOf } from "./report.ts";

/** Writes a repository whose benchmarks print fixed figures. */
async function writeRepository(modules: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "crosszone-compare-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [module, text] of Object.entries(modules)) {
    const path = join(root, module);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return root;
}

const server = (name: string, requestsPerSecond: number): object => ({
  server: name,
  size: "300 B",
  round: 0,
  requestsPerSecond,
  cpuUs: 10,
});
const zone = (execution: number): object => ({
  samples: { servers: [server("bare", 1_000), server("execution", execution)] },
});
const durable = (requestsPerSecond: number): object => ({
  figures: { samples: [{ mode: "answered", size: "300 B", connections: 10, requestsPerSecond }] },
});
const printing = (found: object): string => `console.log(${JSON.stringify(JSON.stringify(found))});`;

test("both versions run in alternation, and a failed run drops only its own figures", async () => {
  const before = await writeRepository({
    "tests/bench/main.ts": printing(zone(200)),
    "tests/bench/durable/main.ts": "process.exit(3);",
  });
  const now = await writeRepository({
    "bench/main.ts": `switch (process.argv[2]) {
      case "http": ${printing(zone(400))} break;
      case "durable": ${printing(durable(350))}
    }`,
  });
  const options = { before, rounds: 2, sources: ["zone", "durable"] as const };
  const comparison = await compare(options, () => undefined, now);
  expect(comparison.findings.map(({ source, version, round }) => `${round} ${source} ${version}`)).toEqual([
    "0 zone before",
    "0 zone now",
    "0 durable now",
    "1 zone now",
    "1 zone before",
    "1 durable now",
  ]);
  expect(comparison.failures).toEqual([
    "round 1 of 2, durable, before: Error: durable ended with 3",
    "round 2 of 2, durable, before: Error: durable ended with 3",
  ]);
  const machine = { node: "v26", cpu: "cpu", cores: 2, pinned: true, loadBefore: 0 };
  const page = renderComparison({ ...comparison, machine, rounds: 2 });
  expect(page).toMatch(/\| Execution zone with tasks in memory, of bare node:http +\| +0\.20 \| 0\.40 \| +2\.00 \|/);
  expect(page).toMatch(
    /\| Execution zone with a durable task, of bare node:http +\| +\| 0\.35 \| +\| ≥ 0\.35 \| +✓ \|/,
  );
  expect(page).not.toMatch(/NaN|undefined/);
});

test("a figure is the median of the rounds; a wrong answer in any round fails its goal", () => {
  const load = (p50: number, right: number): object => ({
    figures: { answers: { mentions: 100, right, latency: { p50, p99: 101 } } },
  });
  const finding = (round: number, found: object): Finding => ({ source: "load", version: "now", round, found });
  const rows = rowsOf([finding(0, load(10, 100)), finding(1, load(12, 99)), finding(2, load(500, 100))]);
  expect(rows.map(({ title, before, now, met }) => [title, before, now, met])).toEqual([
    ["Mention to answer at 100 mentions/s, p50 ms", undefined, 12, true],
    ["Mention to answer at 100 mentions/s, p99 ms", undefined, 101, false],
    ["Mentions that were not answered once, and right", undefined, 1, false],
  ]);
});

test("the command line of bench:compare", () => {
  const root = resolve(import.meta.dirname, "../..");
  expect(readOptions(benchmark, ["--help"])).toBeUndefined();
  expect(readOptions(benchmark, ["--before", root, "--rounds", "1", "--only", "load"])).toEqual({
    before: root,
    rounds: 1,
    sources: ["load"],
    json: false,
    write: false,
  });
  expect(() => readOptions(benchmark, [])).toThrow("Expected --before with the folder of the version before.");
  expect(() => readOptions(benchmark, ["--before", "/nowhere"])).toThrow(
    'got "/nowhere" without bench or tests/bench.',
  );
  expect(() => readOptions(benchmark, ["--before", root, "--rounds", "0"])).toThrow('for --rounds, got "0".');
  expect(() => readOptions(benchmark, ["--before", root, "--only", "all"])).toThrow("there is only path, zone");
});

import { expect, test } from "vitest";
import { circleOf, findExcess } from "./circles.ts";
import { findCrowds, findCycles, findKnots, findUpwardImports } from "./folders.ts";
import { findJobSql } from "./job-sql.ts";
import { listFiles, readSources, type Source } from "./sources.ts";
import { findSuites } from "./suites.ts";

const source = (path: string, imports: readonly string[] = [], text = ""): Source => ({
  path,
  imports,
  text,
  lines: 1,
});

const graph = (edges: Readonly<Record<string, readonly string[]>>): Map<string, Set<string>> =>
  new Map(Object.entries(edges).map(([node, targets]) => [node, new Set(targets)]));

test("nodes that reach each other are one cycle, and a chain is none", () => {
  expect(findCycles(graph({ a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: [] }))).toEqual([["a", "b", "c"]]);
  expect(findCycles(graph({ a: ["b", "c"], b: ["c"], c: [] }))).toEqual([]);
  expect(findCycles(graph({ x: ["y"], y: ["x"], a: ["x", "b"], b: ["a"] }))).toEqual([
    ["x", "y"],
    ["a", "b"],
  ]);
});

test("two folders that import each other are a knot, at any depth; tests and what supports them are none", () => {
  const root = "packages/paint/src";
  expect(
    findKnots([
      source(`${root}/oil/brush.ts`, [`${root}/water/cup.ts`]),
      source(`${root}/water/cup.ts`, [`${root}/oil/paper.ts`]),
      source(`${root}/oil/paper.ts`),
      source(`${root}/water/cup.test.ts`, [`${root}/main.ts`]),
      source(`${root}/main.ts`, [`${root}/water/cup.ts`]),
    ]),
  ).toEqual([`${root}: oil ⇄ water`]);
  expect(
    findKnots([
      source(`${root}/oil/a/one.ts`, [`${root}/oil/b/two.ts`]),
      source(`${root}/oil/b/two.ts`, [`${root}/oil/a/three.ts`]),
    ]),
  ).toEqual([`${root}/oil: a ⇄ b`]);
});

test("an import that goes up names the file, what it imports, and the order", () => {
  const order = { "packages/paint/src": ["oil", "water"] };
  const up = source("packages/paint/src/water/cup.ts", ["packages/paint/src/oil/brush.ts"]);
  const down = source("packages/paint/src/oil/brush.ts", ["packages/paint/src/water/tap.ts"]);
  expect(findUpwardImports([down], order)).toEqual([]);
  expect(findUpwardImports([up, down], order)).toEqual([
    "packages/paint/src/water/cup.ts imports packages/paint/src/oil/brush.ts: oil is above water (oil → water)",
  ]);
  const toRoot = source("packages/paint/src/water/cup.ts", ["packages/paint/src/main.ts"]);
  expect(findUpwardImports([toRoot], order)).toEqual([
    "packages/paint/src/water/cup.ts imports packages/paint/src/main.ts: main.ts is above all folders (oil → water)",
  ]);
  const stranger = source("packages/paint/src/chalk/dust.ts", ["packages/paint/src/oil/brush.ts"]);
  expect(findUpwardImports([stranger], order)).toEqual([
    "packages/paint/src/chalk has no place in dev/scripts/structure/folder-order.ts",
  ]);
});

test("a folder has at most twelve source files, and any number of tests", () => {
  const files = (count: number, end: string) =>
    Array.from({ length: count }, (_, at) => source(`packages/paint/src/oil/${at}${end}`));
  expect(findCrowds([...files(12, ".ts"), ...files(9, ".test.ts")])).toEqual([]);
  expect(findCrowds(files(13, ".ts"))).toEqual([
    "packages/paint/src/oil has 13 source files, the limit is 12: join some, or split it",
  ]);
});

test("each file has one circle, a file without one is named, and so is a circle over its limit", () => {
  expect(circleOf("packages/jobs/src/job-store.ts")).toBe("product");
  expect(circleOf("packages/jobs/src/job-store.test.ts")).toBe("workshop");
  expect(circleOf("tools/cli/src/agent-dev/proxy.ts")).toBe("authors' tools");
  expect(circleOf("packages/contracts/src/generated/types.ts")).toBe("data");
  const none = { files: 0, lines: 0 };
  const sizes = { product: none, "authors' tools": none, workshop: none, docs: none, data: { files: 1, lines: 1e6 } };
  const problems = findExcess(["scratch/notes.bin", "docs/index.md"], sizes);
  expect(problems[0]).toBe("scratch/notes.bin has no circle in dev/scripts/structure/circles.ts");
  expect(problems[1]).toMatch(/^data: 1,000,000 lines, the limit is [\d,]+\. Remove something, or raise/);
  expect(problems).toHaveLength(2);
});

test.each([
  "update job set state = 4",
  "insert into\n  job (id)",
  "DELETE FROM job",
  'db.insertInto("job")',
  'db.updateTable("job")',
  'db.deleteFrom("job")',
])("only packages/jobs changes the table job: %s", (sql) => {
  const path = "packages/paint/src/oil/brush.ts";
  expect(findJobSql([source(path, [], `const text = \`${sql}\`;`)])).toEqual([
    `${path} has SQL that changes the table job: use a method of JobStore, or add one to packages/jobs`,
  ]);
  for (const free of ["packages/jobs/src/store/lanes.ts", "packages/paint/src/oil/brush.test.ts"])
    expect(findJobSql([source(free, [], sql)])).toEqual([]);
});

test("reading jobs, and other tables, is free", () => {
  const texts = ['db.selectFrom("job")', "select id from job", "update job_worker set owner", "insert into jobs"];
  expect(findJobSql(texts.map((text) => source("packages/paint/src/oil/brush.ts", [], text)))).toEqual([]);
});

const starting = `import { startZoneProcess } from "@crosszone/testkit/process";\n`;

test.each([
  [starting, "imports startZoneProcess, which starts a process: begin with the line // suite: rest"],
  [
    `import { spawn } from "node:child_process";\n`,
    "imports spawn, which starts a process: begin with the line // suite: rest",
  ],
  [
    `// suite: both\n${starting}`,
    "imports startZoneProcess, which starts a process: begin with the line // suite: rest",
  ],
  [
    `import { onBothEngines } from "@crosszone/testkit/postgres";\n`,
    "does more outside the quick suite: begin with the line // suite: both",
  ],
  [`// suite: both\ntest("adds", add);`, "does the same in both suites: remove its first line, or say // suite: rest"],
])("a test file names the suite that it belongs to: %j", (text, problem) => {
  const path = "packages/paint/src/oil/brush.test.ts";
  expect(findSuites([source(path, [], text)])).toEqual([`${path} ${problem}`]);
  expect(
    findSuites([source(path, [], `// suite: rest\n${text}`), source(path.replace(".test", ""), [], text)]),
  ).toEqual([]);
});

test("the repository is read with what git tracks, and imports are resolved", () => {
  const own = readSources(listFiles()).find(({ path }) => path === "dev/scripts/structure/structure.test.ts");
  expect(own?.imports).toContain("dev/scripts/structure/folders.ts");
});

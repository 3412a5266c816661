import { rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findStrays } from "./circles.ts";
import { findCrowds, findCycles, findKnots, findUpwardImports } from "./folders.ts";
import { findJobSql } from "./job-sql.ts";
import { listFiles, readSources, type Source } from "./sources.ts";
import { storiesOf } from "./stories.ts";
import { findStaleInputs, findSuites, findTriedKillers } from "./suites.ts";

const root = "packages/paint/src";
const source = (path: string, imports: readonly string[] = [], text = ""): Source => ({
  path: `${root}/${path}`,
  imports: imports.map((one) => `${root}/${one}`),
  text,
  lines: 1,
});
const order = { [root]: ["oil", "water"] };

/** What is wrong on purpose, and what is said of it. That nothing else is wrong, `pnpm lint` says of the whole repository. */
test.each<[what: string, problems: readonly unknown[], said: unknown]>([
  [
    "a cycle",
    findCycles(new Map(Object.entries({ x: ["y"], y: ["x"], a: ["x"] }).map(([node, to]) => [node, new Set(to)]))),
    ["x", "y"],
  ],
  [
    "two folders that import each other",
    findKnots([
      source("oil/brush.ts", ["water/cup.ts"]),
      source("water/cup.ts", ["oil/paper.ts"]),
      source("oil/paper.ts"),
    ]),
    `${root}: oil ⇄ water`,
  ],
  [
    "an import that goes up",
    findUpwardImports([source("water/cup.ts", ["oil/brush.ts"])], order),
    `${root}/water/cup.ts imports ${root}/oil/brush.ts: oil is above water (oil → water)`,
  ],
  [
    "an import of a file above all folders",
    findUpwardImports([source("water/cup.ts", ["main.ts"])], order),
    `${root}/water/cup.ts imports ${root}/main.ts: main.ts is above all folders (oil → water)`,
  ],
  [
    "a folder without a place in the order",
    findUpwardImports([source("chalk/dust.ts", ["oil/brush.ts"])], order),
    `${root}/chalk has no place in dev/scripts/structure/folder-order.ts`,
  ],
  [
    "seventeen files in a folder",
    findCrowds(Array.from({ length: 17 }, (_, at) => source(`oil/${at}.ts`))),
    `${root}/oil has 17 source files, the limit is 16: join some, or split it`,
  ],
  [
    "a file without a circle",
    findStrays(["scratch/notes.bin", "README.md"]),
    "scratch/notes.bin has no circle in dev/scripts/structure/circles.ts",
  ],
  ...["update job set state = 4", "insert into\n  job (id)", "DELETE FROM job", 'db.insertInto("job")'].map(
    (sql): [string, readonly string[], string] => [
      sql,
      findJobSql([source("oil/brush.ts", [], sql)]),
      `${root}/oil/brush.ts has SQL that changes the table job: use a method of JobStore, or add one to packages/jobs`,
    ],
  ),
])("%s is found", (_what, problems, said) => {
  expect(problems).toEqual([said]);
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
  const path = "oil/brush.test.ts";
  expect(findSuites([source(path, [], text)])).toEqual([`${root}/${path} ${problem}`]);
  expect(
    findSuites([source(path, [], `// suite: rest\n${text}`), source(path.replace(".test", ""), [], text)]),
  ).toEqual([]);
});

test("a test that kills is a judge", () => {
  const text = `child.kill("${"SIGTERM".replace("TERM", "KILL")}");\n`;
  const killer = source("oil/brush.test.ts", [], `// suite: rest\n${text}`);
  expect(findTriedKillers([killer])).toEqual([expect.stringContaining(`${root}/oil/brush.test.ts sends SIGKILL`)]);
  expect(findTriedKillers([{ ...killer, text: `// suite: rest\n// @module-tag judge\n${text}` }])).toEqual([]);
});

test("a test names its inputs by patterns that match", () => {
  const painted = source("oil/brush.test.ts", [], `// suite: load\n// inputs: ${root}/oil/* ${root}/gum/**\n`);
  expect(findStaleInputs([painted], [`${root}/oil/brush.ts`])).toEqual([
    `${root}/oil/brush.test.ts names the inputs ${root}/gum/**, which no file matches`,
  ]);
});

test("a file tells two stories where two parts of thirty lines name nothing of each other", () => {
  const body = (called: string): string => `{\n${`  ${called}();\n`.repeat(28)}}\n`;
  const mix = `/** Mixes. */\nexport function mix() ${body("stir")}`;
  const told = (text: string): string[] => storiesOf(source("oil/brush.ts", [], text));
  expect(told(`${mix}\nconst stir = 1;\nclass Dry ${body("wait")}`)).toEqual(["mix 32", "Dry 30"]);
  expect(told(`${mix}\nconst stir = 1;\nclass Dry ${body("mix")}`)).toEqual(["mix 62"]);
  expect(told(`${mix}\nconst [wait, { stir }] = pots();\nfunction dry() ${body("wait")}`)).toEqual(["mix 62"]);
});

test("Q27: the repository is read with what git tracks, and imports are resolved", () => {
  const untracked = resolve(import.meta.dirname, "../../../untracked-agent.py");
  onTestFinished(() => rmSync(untracked, { force: true }));
  writeFileSync(untracked, "");
  expect(listFiles()).not.toContain("untracked-agent.py");
  const own = readSources(listFiles()).find(({ path }) => path === "dev/scripts/structure/structure.test.ts");
  expect(own?.imports).toContain("dev/scripts/structure/folders.ts");
});

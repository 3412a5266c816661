// suite: rest
// inputs: tests/run/*
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 120_000 });

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

const testOf = (body: string): string =>
  `import { existsSync, readFileSync, readdirSync } from "node:fs";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
test("passes", async () => { ${body} });`;

/** A repository with one test file for each way to depend on a file. */
const repository: Readonly<Record<string, string>> = {
  ".gitignore": "node_modules\nbuilt",
  "package.json": `{ "type": "module" }`,
  "src/module.js": "export const value = 1;",
  "src/memo.js": `import { readFileSync } from "node:fs";
let kept; export const memo = () => (kept ??= readFileSync("data/kept.txt", "utf8"));`,
  "src/program.js": `import { readFileSync } from "node:fs"; import "./of-program.js"; readFileSync("data/by-program.txt");`,
  "src/of-program.js": "",
  "src/thread.js": `import "node:fs"; import "./of-thread.js";`,
  "src/of-thread.js": "",
  "data/opened.txt": "1",
  "data/kept.txt": "1",
  "data/by-program.txt": "1",
  "shell/script.sh": "cat inner/read.txt",
  "shell/inner/read.txt": "1",
  "built/ignored.txt": "1",
  "other/never-opened.txt": "1",
  "t/loads.test.js": `import "../src/module.js";\n${testOf("")}`,
  "t/opens.test.js": testOf(`readFileSync("data/opened.txt")`),
  "t/opens-built.test.js": testOf(`readFileSync("built/ignored.txt")`),
  "t/remembers-1.test.js": `import { memo } from "../src/memo.js";\n${testOf("memo()")}`,
  "t/remembers-2.test.js": `import { memo } from "../src/memo.js";\n${testOf("memo()")}`,
  "t/starts.test.js": testOf(`await promisify(execFile)(process.execPath, ["src/program.js"], { env: {} })`),
  "t/starts-shell.test.js": testOf(`await promisify(execFile)("sh", ["script.sh"], { cwd: "shell" })`),
  "t/threads.test.js": testOf(
    `await new Promise((done) => new Worker(new URL("../src/thread.js", import.meta.url)).on("exit", done))`,
  ),
  "t/lists.test.js": testOf(`readdirSync("data")`),
  "t/looks-for.test.js": testOf(`existsSync("built/later.json")`),
  "t/fails.test.js": `import "../src/module.js";\n${testOf(`expect(existsSync("/tmp")).toBe(true)`)}`,
  "vitest.config.js": `import { changedFiles } from "./tests/run/changed-files.ts";
const { vcsProvider, reporter } = changedFiles({ runsAll: process.env.CI !== undefined });
const names = { onTestRunEnd: (modules) => void console.log("RAN", modules.map(({ moduleId }) => moduleId).join(" ")) };
export default { test: {
  include: ["t/*.test.js"], setupFiles: "tests/run/set-up.ts", isolate: false, maxWorkers: 1, reporters: ["default", names, reporter],
  experimental: { recordDependencies: true, vcsProvider },
  execArgv: ["--import=" + new URL("./tests/run/opened-files.mjs", import.meta.url).pathname],
} };`,
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crosszone-selection-"));
  await cp(import.meta.dirname, join(folder, "tests/run"), { recursive: true });
  await rm(join(folder, "tests/run/selection.test.ts"));
  await cp(resolve(import.meta.dirname, "../harness/random.ts"), join(folder, "tests/harness/random.ts"));
  await mkdir(join(folder, "node_modules"));
  for (const name of ["vitest", "fast-check"])
    await symlink(resolve(root, "node_modules", name), join(folder, "node_modules", name)).catch(() => undefined);
  for (const [path, text] of Object.entries(repository)) await write(path, text);
  await run("git", ["init", "--quiet"], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Runs what a change selects. Returns the names of the test files that ran. */
async function selected(env: Readonly<Record<string, string>> = {}, ...filters: readonly string[]): Promise<string[]> {
  const { CI: _ci, TEST_SEED: _seed, ...inherited } = process.env;
  const program = [resolve(root, "node_modules/vitest/vitest.mjs"), "run", ...filters, "--changed"];
  const { stdout: printed } = await run(process.execPath, program, {
    cwd: folder,
    env: { ...inherited, ...env },
  }).catch((error: { stdout: string }) => error);
  const stdout = printed.split("\n").find((line) => line.startsWith("RAN ")) ?? printed;
  expect(stdout).toMatch(/^RAN /);
  return [...stdout.matchAll(/([\w-]+)\.test\.js(?= |$)/gm)].map(([, name = ""]) => name).toSorted();
}

const all = Object.keys(repository)
  .flatMap((path) => /^t\/(.*)\.test\.js$/.exec(path)?.[1] ?? [])
  .toSorted();

test("a fresh clone runs all, then nothing runs that nothing changed, and CI runs all", async () => {
  expect(await selected()).toEqual(all);
  expect(await selected()).toEqual([]);
  expect(await selected({ CI: "true" })).toEqual(all);
});

test.each([
  ["src/module.js", ["fails", "loads"], "loaded"],
  ["data/opened.txt", ["opens"], "opened"],
  ["data/kept.txt", ["remembers-1", "remembers-2"], "kept by a module that two files of a worker share"],
  ["src/of-program.js", ["starts"], "loaded by a program"],
  ["data/by-program.txt", ["starts"], "opened by a program without an environment"],
  ["src/of-thread.js", ["threads"], "loaded by a thread"],
  ["t/loads.test.js", ["loads"], "the test itself"],
  ["shell/inner/read.txt", ["starts-shell"], "in the folder of a program that is not Node"],
  ["built/ignored.txt", ["opens-built"], "that git ignores"],
  ["data/new.txt", all, "that is new"],
  ["other/never-opened.txt", all, "that nothing ever opened"],
  ["package.json", all, "by which modules are resolved"],
])("a change of %s runs %j: %s", async (path, expected) => {
  await write(path, `${repository[path] ?? ""}\n`);
  expect(await selected()).toEqual(expected);
  expect(await selected()).toEqual([]);
});

test("a run of some files leaves the others to the next one", async () => {
  await write("data/kept.txt", "2");
  expect(await selected({}, "remembers-1")).toEqual(["remembers-1"]);
  expect(await selected()).toEqual(["remembers-1", "remembers-2"]);
});

test("what failed runs again until it passes, and what is gone runs what opened it", async () => {
  await write("t/fails.test.js", `${repository["t/fails.test.js"]}\ntest("fails", () => expect(1).toBe(2));`);
  expect(await selected()).toEqual(["fails"]);
  expect(await selected()).toEqual(["fails"]);
  await write("t/fails.test.js", repository["t/fails.test.js"] ?? "");
  expect(await selected()).toEqual(["fails"]);
  await rm(join(folder, "data/opened.txt"));
  expect(await selected()).toEqual(["lists", "opens"]);
  await write("built/later.json", "{}");
  expect(await selected()).toEqual(all);
});

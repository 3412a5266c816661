/** Fetches what the tests have from outside, three tries each, and names what cannot be had: CI says so before it runs tests that need it. */
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { npmFolderFor, pythonOf } from "../harness/install-once.ts";
import { npmProgramFolder, npmProgramNames } from "../harness/npm-programs.ts";

const root = resolve(import.meta.dirname, "../..");
const pausesMs = [2_000, 10_000];

type Fetch = (path: string) => Promise<unknown>;

const fetchGoModules: Fetch = async (file) =>
  await promisify(execFile)("go", ["mod", "download"], { cwd: dirname(file) });

/** What is fetched for each file that such a pattern finds. */
const files: Readonly<Record<string, Fetch>> = {
  "{examples/agents/*,tests/full/**}/requirements*.txt": pythonOf,
  "tests/full/kits/python-tools.txt": pythonOf,
  "tests/full/**/package.json": async (file) => await npmFolderFor(dirname(file)),
  "tests/full/**/go.mod": fetchGoModules,
};

const outside: readonly (readonly [name: string, fetch: () => Promise<unknown>])[] = [
  ...npmProgramNames.map((name) => [name, async () => await npmProgramFolder(name)] as const),
  ...Object.entries(files).flatMap(([pattern, fetch]) =>
    globSync(pattern, { cwd: root }).map((file) => [file, async () => await fetch(join(root, file))] as const),
  ),
];

/** Returns what the last try threw, as a sentence, or undefined. */
async function failureOf(fetch: () => Promise<unknown>): Promise<string | undefined> {
  let failure: string | undefined;
  for (const pause of [0, ...pausesMs]) {
    await sleep(pause);
    try {
      await fetch();
      return undefined;
    } catch (error) {
      failure = String(error);
    }
  }
  return failure;
}

for (const [name, fetch] of outside) {
  const failure = await failureOf(fetch);
  if (failure === undefined) continue;
  process.stdout.write(`NOT FETCHED: what ${name} needs: ${failure}\n`);
  process.exitCode = 1;
}

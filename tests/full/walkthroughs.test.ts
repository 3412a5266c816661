// inputs: examples/walkthroughs/* schemas/** packages/{agent-bridge,contracts,workflow}/** apps/verification/src/{link,policy,zone}/** apps/execution/src/{doors,tasks,usage,zone}/**
import { cpSync, globSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, inject, test } from "vitest";
import { repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";

const patchOf = (name: string): string => join(repoDir, "examples/walkthroughs", `${name}.patch`);

/** The patches of `examples/walkthroughs`, and how many files each edits: source, tests, schemas and fixtures. */
const walkthroughs = {
  "policy-rule": 5,
  "zone-method": 7,
  "step-type": 5,
  protocol: 3,
  transport: 5,
  "admin-endpoint": 4,
  "job-kind": 3,
};

/** The tests that the patches add, and those that a change of their kind must pass. */
const tests = {
  contracts: ["corpus", "packages/contracts/src/index", "packages/contracts/src/errors"],
  verification: ["policy/rules.test", "link/unix-transport", "verification/src/zone/config"],
  execution: ["doors/rpc/zone-handlers", "usage-routes", "tasks/end-hook"],
  workflow: ["workflow/src/run/delay"],
  "agent-bridge": ["question-answer-adapter"],
  docs: ["pages", "security-page", "workflows-page"],
};

test("the walkthroughs edit as few files as they say, pass the type check, and pass their tests", async () => {
  const patches = globSync("examples/walkthroughs/*.patch", { cwd: repoDir }).map((path) => basename(path, ".patch"));
  expect(patches.toSorted()).toEqual(Object.keys(walkthroughs).toSorted());
  const copy = createScratchRepository(["apps", "packages", "dev/scripts", "dev/testkit"]);
  for (const [name, files] of Object.entries(walkthroughs)) {
    const edited = await copy.run("git", "apply", "--numstat", patchOf(name));
    expect([name, edited.trim().split("\n")]).toEqual([name, expect.objectContaining({ length: files })]);
    await copy.run("git", "apply", patchOf(name));
  }
  await copy.generate();
  await copy.run("node_modules/.bin/tsc", "-p", "tsconfig.walkthrough.json");
  const projects = Object.keys(tests).flatMap((project) => ["--project", project]);
  await copy.run("node_modules/.bin/vitest", "run", ...projects, ...Object.values(tests).flat());
}, 900_000);

const left = new Set([".git", ".turbo", ".vite", ".cache", ".tsbuildinfo", "dist", "bundle", "zones"]);

/** Creates a copy. `checked` are the folders that `pnpm typecheck` checks there, so that it takes seconds. */
function createScratchRepository(checked: readonly string[]) {
  const dir = tempFolder();
  const filter = (path: string): boolean => !left.has(basename(path));
  for (const name of readdirSync(repoDir))
    // Links between packages are relative, so they lead to packages of the copy.
    if (name !== "node_modules" && filter(name))
      cpSync(join(repoDir, name), join(dir, name), { recursive: true, verbatimSymlinks: true, filter });
  symlinkSync(join(repoDir, "node_modules"), join(dir, "node_modules"));
  writeFileSync(
    join(dir, "tsconfig.walkthrough.json"),
    JSON.stringify({ extends: "./tsconfig.json", include: checked }),
  );

  const env = { TEST_POSTGRES_URL: inject("postgresUrl"), VITEST: "", NODE_COMPILE_CACHE: "" };
  const runProgram = (program: string, ...args: string[]) => run(program, args, { cwd: dir, env });
  return {
    /** Runs a program in the copy and returns its output. Throws if it fails. It avoids pnpm, which would check the installed packages. */
    run: runProgram,
    /** Does what `pnpm generate` does. */
    generate: async () => {
      const options = ["--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"];
      for (const script of ["dev/scripts/contract/generate.ts", "dev/scripts/generate-docs.ts"])
        await runProgram(process.execPath, ...options, script);
    },
  };
}

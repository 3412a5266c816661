import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { repoDir } from "./release-copy.ts";
import { createScratchRepository } from "./scratch-repository.ts";

const patchOf = (name: string): string => join(repoDir, "examples/walkthroughs", `${name}.patch`);

/** The patches of `examples/walkthroughs`, and how many files each edits: source, tests, schemas and fixtures. */
const walkthroughs = {
  "policy-rule": 5,
  "zone-method": 6,
  "step-type": 5,
  protocol: 3,
  transport: 5,
  "admin-endpoint": 4,
};

/** The tests that the patches add, and those that a change of their kind must pass. */
const tests = {
  contracts: ["packages/contracts/src/corpus", "packages/contracts/src/index", "packages/contracts/src/errors"],
  verification: ["verification/src/policy/rules/no-files-rule", "transports/unix-transport", "verification/src/config"],
  execution: ["methods/zone-handlers", "usage-routes"],
  workflow: ["workflow/src/run/delay"],
  "agent-bridge": ["question-answer-adapter"],
  docs: ["configuration-page", "policy-page", "security-page", "workflows-page"],
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

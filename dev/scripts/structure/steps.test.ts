// suite: rest
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../../testkit/src/servers/temporary.ts";
import { expect, test } from "vitest";
import { executionMigrations } from "../../../apps/execution/src/store/migrations.ts";
import { digestsOf } from "../../../packages/sql/src/made-tables.ts";
import { sqlStep } from "../../../packages/sql/src/migrate.ts";
import { findChangedSteps, stepsFile } from "./steps.ts";

/** A repository with the file of steps as it is at each commit. */
function makeRepository() {
  const folder = tempFolder();
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@example.com", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  const write = (steps: Readonly<Record<string, string>>): void => {
    mkdirSync(dirname(join(folder, stepsFile)), { recursive: true });
    writeFileSync(join(folder, stepsFile), `${JSON.stringify(steps, null, 2)}\n`);
  };
  git("init", "-q", "-b", "main");
  return {
    git,
    write,
    commit: (steps: Readonly<Record<string, string>>): void => {
      write(steps);
      git("add", ".");
      git("commit", "-qm", "steps");
    },
    found: () => findChangedSteps(folder).map((text) => /step (.*) was committed/.exec(text)?.[1]),
  };
}

test("O13: a step that was committed may not change, in the folder, in the last commit or before it; steps may come", () => {
  const { write, commit, found } = makeRepository();
  commit({ "a 0001_tables sqlite": "one" });
  commit({ "a 0001_tables sqlite": "one", "a 0002_add_x sqlite": "two" });
  expect(found()).toEqual([]);
  write({ "a 0001_tables sqlite": "edited", "a 0002_add_x sqlite": "two" });
  expect(found()).toEqual(["a 0001_tables sqlite"]);
  commit({ "a 0001_tables sqlite": "edited" });
  expect(found()).toEqual(["a 0001_tables sqlite", "a 0002_add_x sqlite"]);
  commit({ "a 0001_tables sqlite": "one", "a 0002_add_x sqlite": "two", "a 0003_add_y sqlite": "three" });
  expect(found()).toEqual([]);
});

test("O13: a branch may give its own step another number before it is merged", () => {
  const { git, commit, found } = makeRepository();
  const base = { "a 0001_tables sqlite": "one" };
  commit(base);
  git("checkout", "-qb", "branch");
  commit({ ...base, "a 0002_add_x sqlite": "two" });
  commit({ ...base, "a 0003_add_x sqlite": "two" });
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "merge", "branch");
  expect(found()).toEqual([]);
});

test("O13: the digest of a step changes with its statements, and with nothing else", async () => {
  const digest = async (text: string) => (await digestsOf({ one: sqlStep(text) }, "sqlite"))["one"];
  const text = "create table note (id text primary key)";
  expect(await digest(`\n   ${text.replace(" (", "\n    (")}`)).toBe(await digest(text));
  expect(await digest(text.replace("text", "bigint"))).not.toBe(await digest(text));
  const committed = JSON.parse(readFileSync(join(import.meta.dirname, "../../..", stepsFile), "utf8")) as object;
  for (const [step, made] of Object.entries(await digestsOf(executionMigrations, "postgres")))
    expect(committed).toMatchObject({ [`execution ${step} postgres`]: made });
});

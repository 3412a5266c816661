// suite: rest
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";

const script = resolve(import.meta.dirname, "../../.ci/run");

/** Notes what it is asked for, and fails, as Vitest prints it, if one of the words in FAILS is among it. */
const npx = `#!/bin/bash
echo "$*" >> asked.txt
for word in $FAILS; do
  case " $* " in *" $word "*)
    printf '\\033[41m FAIL \\033[49m of-%s.test.ts > what is planted\\nExpected 1, got 2.\\n' "$word"
    exit 7 ;;
  esac
done
`;

/** Creates a repository of its own with `.ci/run`, which runs beside programs that do nothing but fail when asked to. */
function createRepository() {
  const bin = tempFolder({ npx, "apt-get": `#!/bin/sh\nexit 0\n`, sleep: `#!/bin/sh\n`, id: `#!/bin/sh\necho 0\n` });
  for (const program of ["npx", "apt-get", "sleep", "id"]) chmodSync(join(bin, program), 0o755);
  const folder = tempFolder();
  mkdirSync(join(folder, ".ci"));
  copyFileSync(script, join(folder, ".ci/run"));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd: folder, encoding: "utf8" });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "one");
  writeFileSync(join(folder, ".ci/landed"), git("rev-parse", "HEAD"));
  git("add", ".");
  git("commit", "-q", "-m", "two");
  const asked = join(folder, "asked.txt");
  return {
    /** Runs a part, or all. `fails`: what npx fails for, with spaces between. */
    run: (part: string | undefined, fails = "", share = "1") => {
      rmSync(asked, { force: true });
      const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: bin, FAILS: fails, TEST_SHARE: share };
      const args = [".ci/run", ...(part === undefined ? [] : [part])];
      const { status, stdout } = spawnSync("bash", args, { cwd: folder, env, encoding: "utf8" });
      return {
        status,
        printed: stdout,
        /** What is listed at the end. */
        wrong: stdout.split("== all that is wrong\n")[1]?.split("\n") ?? [],
        asked: existsSync(asked) ? readFileSync(asked, "utf8") : "",
      };
    },
  };
}

const runCi = (...args: Parameters<ReturnType<typeof createRepository>["run"]>) => createRepository().run(...args);

test("all parts run, each step says how long it took, and nothing is wrong", () => {
  const { status, printed, asked, wrong } = runCi(undefined);
  expect({ status, wrong }).toEqual({ status: 0, wrong: [] });
  for (const name of ["generated code in sync", "lint", "typecheck", "site", "test", "test:thorough", "test:load"])
    expect(printed).toMatch(new RegExp(`^== ${name}: \\d+ s$`, "m"));
  expect(asked).toContain("test:waits");
});

test.each([
  // One after the other, side by side, and in the middle of a step of several commands.
  ["check:structure", ["structure"]],
  ["lint", ["lint", "part style"]],
  ["typecheck", ["typecheck", "part types"]],
  ["lint:deploy", ["deploy files", "part types"]],
  ["measure:structure", ["sizes", "part style"]],
  ["tests/run/fetch.ts", ["what comes from outside", "part outside"]],
  ["turbo", ["generated code in sync"]],
  ["test:thorough", ["test:thorough", "part rest"]],
  ["test:waits", ["test:waits", "part waits"]],
  ["test:whole", ["test:whole"]],
  ["test:load", ["test:load"]],
])("a failure of %s fails the run, is named at the end, and stops no other part", (command, names) => {
  const { status, wrong, asked } = runCi("all", command);
  expect(status).toBe(7);
  for (const name of names) expect(wrong).toContain(`== ${name} failed`);
  expect(wrong).toContain(` FAIL  of-${command}.test.ts > what is planted`);
  expect(wrong).toContain("Expected 1, got 2.");
  expect(asked).toContain("test:load");
});

test("two failures in two parts are told by one run", () => {
  const { status, wrong } = runCi("all", "test:thorough test:load");
  expect(status).not.toBe(0);
  expect(wrong.filter((line) => line.startsWith("=="))).toEqual([
    "== test:thorough failed",
    "== part rest failed",
    "== test:load failed",
  ]);
});

test("one part alone fails by itself, and runs no other", () => {
  const { status, asked } = runCi("quick", "test");
  expect(status).toBe(7);
  expect(asked).not.toContain("test:thorough");
  expect(runCi("none")).toMatchObject({ status: 1, printed: expect.stringContaining("There is no part none.") });
});

test("without its packages, or with an unknown build before, nothing else runs", () => {
  const { status, asked } = runCi("all", "install");
  expect({ status, lines: asked.trim().split("\n").length }).toEqual({ status: 7, lines: 1 });
});

test("a change that leaves the files of deployments alone leaves their check to the night", () => {
  expect(runCi("types", "lint:deploy", "0.1")).toMatchObject({
    status: 0,
    asked: expect.stringContaining("typecheck"),
    printed: expect.stringContaining("LEFT TO THE NIGHT: the deploy files"),
  });
});

test("a night ends with a page of verdicts, and goes on where it was not green", () => {
  const { run } = createRepository();
  const first = run("night", "test:whole");
  expect(first.status).toBe(1);
  expect(first.printed).toMatch(/^== the night of \w+ two\n(\w+ +green +0 min\n){8}whole +RED +0 min\n/m);
  expect(first.asked).toContain("test:external");
  const second = run("night");
  expect(second.status).toBe(0);
  expect(second.printed).toMatch(/^whole +green +0 min\nload +green +0 min, before\n/m);
  expect(second.asked.match(/test:\w+/g)).toEqual(["test:whole"]);
});

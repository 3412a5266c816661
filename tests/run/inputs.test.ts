// suite: rest
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";

/** Creates a repository of two commits, whose second changes one file, and returns what names the test files that a run leaves to the night. */
function repositoryWith(changed: string) {
  const folder = tempFolder();
  for (const name of [".ci", "tests", "kits"]) mkdirSync(join(folder, name));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd: folder, encoding: "utf8" });
  cpSync(join(import.meta.dirname, "inputs.ts"), join(folder, "tests/run/inputs.ts"));
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  write("package.json", `{ "type": "module" }`);
  write("kits/agent.go", "1");
  write("other.ts", "1");
  write("pnpm-lock.yaml", "1");
  write("tests/plain.test.ts", "// suite: rest\n");
  write("tests/kits.test.ts", "// suite: rest\n// @module-tag judge\n// inputs: kits/** docs/*.md\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  write(".ci/landed", git("rev-parse", "HEAD"));
  write(changed, "2\n// inputs: kits/**\n");
  return {
    leftOf: (share: string): string[] => {
      const program = `import { isLeft } from "./tests/run/inputs.ts";
        console.log(["plain", "kits"].filter((name) => isLeft(\`\${process.cwd()}/tests/\${name}.test.ts\`)).join());`;
      const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program];
      const env = { PATH: process.env["PATH"], TEST_SHARE: share };
      return execFileSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" })
        .trim()
        .split(",")
        .filter(Boolean);
    },
    forget: () => write(".ci/landed", "unknown"),
  };
}

test.each([
  ["other.ts", ["kits"]],
  ["kits/agent.go", []],
  ["tests/kits.test.ts", []],
  ["pnpm-lock.yaml", []],
])("a change of %s leaves %j to the night", (changed, left) => {
  expect(repositoryWith(changed).leftOf("0.1")).toEqual(left);
});

test("a run that tries all, and one that does not know the build before, leave nothing", () => {
  const repository = repositoryWith("other.ts");
  expect(repository.leftOf("1")).toEqual([]);
  repository.forget();
  expect(repository.leftOf("0.1")).toEqual([]);
});

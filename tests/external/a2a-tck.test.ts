import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test, type TestContext } from "vitest";
import { startTckZone } from "./a2a-tck-zone.ts";
import { noteWorksWith } from "./works-with.ts";

const run = promisify(execFile);
const page = resolve(import.meta.dirname, "../../docs/reference/a2a-wire.md");

/** Returns the folder that a variable names: a checkout of the suite, with its Python in `.venv`. Skips the test without one. */
function checkoutIn({ skip }: TestContext, variable: string, branch: string): string {
  const folder = process.env[variable] ?? "";
  if (folder !== "" && existsSync(join(folder, ".venv/bin/python"))) return folder;
  const missing = `Set ${variable} to a checkout of the branch ${branch} of the A2A TCK with its packages in .venv (CONTRIBUTING.md). It is ${JSON.stringify(folder)}.`;
  process.stderr.write(`${missing}\n`);
  return skip(missing);
}

interface Ran {
  readonly name: string;
  readonly passed: boolean;
}

/** Runs tests of a suite. Returns those that ran, and whether each passed. A SHOULD that isn't met is an expected failure of pytest. */
async function runSuite(folder: string, args: readonly string[]): Promise<readonly Ran[]> {
  const report = join(tempFolder(), "report.xml");
  const pytest = ["-m", "pytest", "-q", "--tb=no", `--junitxml=${report}`, ...args];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  // It fails when a test does.
  const said = await run(join(folder, ".venv/bin/python"), pytest, { cwd: folder, env, timeout: 300_000 }).catch(
    String,
  );
  if (!existsSync(report)) throw new Error(`The suite did not run: ${JSON.stringify(said)}`);
  const cases = readFileSync(report, "utf8").matchAll(
    /<testcase [^>]*?\bname="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g,
  );
  const ran = [...cases].filter(([, , what = ""]) => !/<skipped type="pytest.skip"/.test(what));
  return ran.map(([, name = "", what = ""]) => ({ name, passed: !/<(failure|error|skipped)\b/.test(what) }));
}

/** Returns the tests that the page lists below a heading, which the zone doesn't pass. */
function notPassed(heading: string): readonly string[] {
  const [, section = ""] = readFileSync(page, "utf8").split(`\n### ${heading}\n`);
  const [table = ""] = section.split("\n#");
  return [...table.matchAll(/^\|[^|]*`(test_[^`]+)`/gm)].map(([, name = ""]) => name);
}

/** Runs a suite, and returns which tests failed, and which the page lists. */
async function judge(heading: string, folder: string, runs: readonly (readonly string[])[]) {
  const results: Ran[] = [];
  for (const args of runs) results.push(...(await runSuite(folder, args)));
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => name);
  const { stdout } = await run("git", ["-C", folder, "rev-parse", "--short", "HEAD"]).catch(() => ({
    stdout: "unknown",
  }));
  noteWorksWith({
    name: heading,
    version: stdout.trim(),
    as: "suite",
    passed: results.length - failed.length,
    of: results.length,
    note: `[The others](a2a-wire.md#official-suites) have reasons.`,
  });
  return { failed: failed.toSorted(), listed: notPassed(heading).toSorted() };
}

test("J10: the A2A TCK for 1.0 passes, but for the tests that the reference lists", async (context) => {
  const folder = checkoutIn(context, "A2A_TCK", "1.0-dev");
  const { open } = await startTckZone();
  const run10 = ["tests/compatibility", `--sut-host=${open}`, "--transport=jsonrpc"];
  const { failed, listed } = await judge("A2A TCK 1.0-dev", folder, [run10]);
  expect(failed).toEqual(listed);
});

/** Tests that send no token, or a wrong one. */
const strictly = [
  "tests/mandatory/authentication",
  "tests/mandatory/security",
  "tests/mandatory/protocol/test_extended_agent_card.py",
  "tests/mandatory/protocol/test_a2a_v030_new_methods.py::TestAuthenticatedExtendedCard",
  "tests/optional/capabilities/test_authentication.py",
];

test("J10: the A2A TCK for 0.3 passes, but for the tests that the reference lists", async (context) => {
  const folder = checkoutIn(context, "A2A_TCK_03", "0.3.x");
  const { open, strict } = await startTckZone();
  const all = ["--test-scope=all", "--transports=jsonrpc"];
  const others = strictly.map((path) => `--deselect=${path}`);
  const { failed, listed } = await judge("A2A TCK 0.3.x", folder, [
    ["tests/mandatory", "tests/optional", `--sut-url=${open}`, ...all, ...others],
    [...strictly, `--sut-url=${strict}`, ...all],
  ]);
  expect(failed).toEqual(listed);
});

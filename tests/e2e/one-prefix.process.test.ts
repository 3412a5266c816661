// suite: rest
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";

const script = resolve(import.meta.dirname, "../../crosszone");

/** Runs the script as on a machine without a network: every use of npx, which asks a registry, fails. */
function runOffline(...args: string[]) {
  const bin = tempFolder({ npx: "#!/bin/sh\necho 'npx has no network' >&2\nexit 9\n" });
  chmodSync(join(bin, "npx"), 0o755);
  const { status, stdout, stderr } = spawnSync(script, args, {
    cwd: bin,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: bin },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("Q6: one short script runs the commands of a clone from any folder, with nothing but the clone", () => {
  expect(readFileSync(script, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  const help = runOffline("--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  for (const group of ["Start", "Ask", "Agents", "Workflows", "Approvals", "Programs", "Admin"])
    expect(help.stdout).toContain(`\n${group}:\n`);
  for (const command of ["chat", "open", "doctor"])
    expect([command, runOffline(command, "--help")]).toMatchObject([command, { status: 0, stderr: "" }]);
  expect(runOffline("agents", "lst")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("Did you mean list?"),
  });
  // Only what pnpm has to do asks it.
  expect(runOffline("test")).toMatchObject({ status: 9, stderr: "npx has no network\n" });
});

test("it finds files in the folder where it is called, also from a script that npm runs for another", () => {
  const folder = tempFolder({ "agent.txt": "" });
  const env = { PATH: "/usr/bin:/bin", HOME: folder, INIT_CWD: "/" };
  const { stderr } = spawnSync(script, ["agents", "dev", "agent.txt"], { cwd: folder, env, encoding: "utf8" });
  expect(stderr).toContain("Agents in .txt are unknown.");
});

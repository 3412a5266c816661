// suite: rest
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
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
    stderr: expect.stringContaining("Did you mean agents list?"),
  });
  // Only what pnpm has to do asks it.
  expect(runOffline("test")).toMatchObject({ status: 9, stderr: "npx has no network\n" });
});

/** Runs the script beside an npx that prints what it is asked for. */
function pnpmFor(...args: string[]): string {
  const bin = tempFolder({ npx: `#!/bin/sh\necho "$@"\n` });
  chmodSync(join(bin, "npx"), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: bin };
  const { stdout } = spawnSync(script, args, { cwd: bin, env, encoding: "utf8" });
  return stdout.trim().replace(/^--yes .* --dir \S+ /, "");
}

test("Q38: each script of the clone is a command, words run the tests whose paths have them, and programs need no pnpm", () => {
  const manifest = readFileSync(resolve(script, "../package.json"), "utf8");
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const names = ["lint", "typecheck", "generate", "test:all", "kit:pack", "docs", "verify"];
  expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  for (const name of names) expect(pnpmFor(name, "--one")).toBe(`run ${name} --one`);
  expect(pnpmFor("test")).toBe("run test");
  expect(pnpmFor("test", "edge/intake")).toMatch(/^exec vitest run --mode all .*edge\/intake$/);
  expect(pnpmFor("exec", "node", "a.js")).toBe("exec node a.js");
  // Words of the command line stay with it, also those that package.json has elsewhere.
  expect(runOffline("turbo")).toMatchObject({ status: 2, stderr: expect.stringContaining("turbo") });
  expect(runOffline("data", "--help")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("./crosszone data COMMAND"),
  });
});

test("Q38: no page needs a bare pnpm, and the files for editors name the Node and the commands of the clone", () => {
  const root = resolve(script, "..");
  const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  const bare = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8").replaceAll(/<!--[^]*?-->/g, "");
    return [...text.matchAll(/^pnpm \S+|`(?:[A-Z_]+=\S+ )*pnpm (?:-\S+ |exec |run )*[a-z][\w:]*/gm)].map(
      ([line]) => `${page}: ${line}`,
    );
  });
  expect(bare.filter((line) => !/CHANGELOG|decisions\/0028/.test(line))).toEqual([]);
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  expect(read(".nvmrc").trim()).toBe(/^nodeVersion: (\S+)$/m.exec(read("pnpm-workspace.yaml"))?.[1]);
  const { configurations } = JSON.parse(read(".vscode/launch.json")) as { configurations: { command: string }[] };
  expect(configurations.map(({ command }) => command.split(" ").slice(0, 2).join(" "))).toEqual([
    "./crosszone dev",
    "./crosszone test",
  ]);
  const container = JSON.parse(read(".devcontainer/devcontainer.json")) as { postCreateCommand: string };
  const { packageManager } = JSON.parse(read("package.json")) as { packageManager: string };
  expect(container.postCreateCommand).toContain(`npx -y ${packageManager} install`);
});

test("Q27: a file that the README says to save in the clone is none that lint reads", () => {
  const folder = tempFolder({ "kept.ts": "export const kept = 1;\n" });
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  git("init", "-q");
  git("add", ".");
  writeFileSync(join(folder, "agent.mjs"), "debugger\nconst unused   = 1");
  writeFileSync(join(folder, "agent.py"), "x");
  const { scripts } = JSON.parse(readFileSync(resolve(script, "../package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const commands = Object.entries(scripts).flatMap(([name, command]) => (name.startsWith("check:") ? [command] : []));
  const reading = commands.filter((command) => command.includes("ls-files"));
  expect(reading.map((command) => /xargs \S+ -s \d+ (\S+)/.exec(command)?.[1])).toEqual(["oxlint", "prettier"]);
  // No other command of lint takes the files of a folder.
  expect(commands.length - reading.length).toBe(4);
  const env = { PATH: `${resolve(script, "../node_modules/.bin")}:/usr/bin:/bin`, HOME: folder };
  const lint = () =>
    reading.map(
      (command) => spawnSync("sh", ["-c", command.replace("--type-aware ", "")], { cwd: folder, env }).status,
    );
  expect(lint()).toEqual([0, 0]);
  git("add", ".");
  expect(lint()).not.toContain(0);
});

test("it finds files in the folder where it is called, also from a script that npm runs for another", () => {
  const folder = tempFolder({ "agent.txt": "" });
  const env = { PATH: "/usr/bin:/bin", HOME: folder, INIT_CWD: "/" };
  const { stderr } = spawnSync(script, ["agents", "dev", "agent.txt"], { cwd: folder, env, encoding: "utf8" });
  expect(stderr).toContain("Agents in .txt are unknown.");
});

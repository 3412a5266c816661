import { hash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "../run-program.ts";

/** Folder of the installed tools. They stay from one run to the next. */
const cache = join(homedir(), ".cache/crosszone/lint-deploy");
const requirements = resolve(import.meta.dirname, "requirements.txt");

/** A tool that can't be had on this machine. The message says why, and what to do. */
export class MissingToolError extends Error {}

/** Path of a Go program, built at `version` when it isn't in the cache. Throws a `MissingToolError` without Go, or when it can't be built. */
export async function goTool(name: string, module: string, version: string): Promise<string> {
  const folder = join(cache, `${name}-${version}`);
  await installOnce(folder, async (target) => {
    await run("go", ["version"]).catch(() => {
      throw new MissingToolError("Go is not installed: https://go.dev/dl");
    });
    await run("go", ["install", `${module}@${version}`], { env: { GOBIN: target, GOFLAGS: "-trimpath" } });
  });
  return join(folder, name);
}

/** Folder of the Python programs, at the versions and hashes of requirements.txt. Throws a `MissingToolError` without Python, or when pip fails. */
export async function pythonTools(): Promise<string> {
  const version = hash("sha256", readFileSync(requirements)).slice(0, 12);
  const folder = join(cache, `python-${version}`);
  await installOnce(folder, async (target) => {
    await run("python3", ["-m", "venv", "--clear", target]).catch(() => {
      throw new MissingToolError("python3 with venv is not installed (Debian: apt-get install python3-venv)");
    });
    const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-compile"];
    const pinned = ["--require-hashes", "--no-deps", "--requirement", requirements];
    await run(join(target, "bin/pip"), ["install", ...quiet, ...pinned]);
  });
  return join(folder, "bin");
}

const installs = new Map<string, Promise<void>>();

/** Fills a folder with `install`, unless this run or an earlier one did. One that was interrupted leaves no mark, and the next starts anew. */
function installOnce(folder: string, install: (folder: string) => Promise<void>): Promise<void> {
  const started = installs.get(folder) ?? fill(folder, install);
  installs.set(folder, started);
  return started;
}

async function fill(folder: string, install: (folder: string) => Promise<void>): Promise<void> {
  const mark = join(folder, "installed");
  if (existsSync(mark)) return;
  rmSync(folder, { recursive: true, force: true });
  try {
    await install(folder);
  } catch (error) {
    if (error instanceof MissingToolError) throw error;
    throw new MissingToolError(`it can't be installed: ${String(error)}`, { cause: error });
  }
  writeFileSync(mark, "");
}

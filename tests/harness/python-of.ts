import { execFile } from "node:child_process";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, "../../node_modules/.cache/python");
/** How long pip may take, milliseconds. */
const timeout = 180_000;

/**
 * Returns the Python interpreter of a virtual environment with the packages of the requirements file `list`. Creates the environment on
 * first use and again when the file changes. Throws when Python 3 with venv is missing, or when the packages take longer than three minutes.
 */
export async function pythonOf(list: string): Promise<string> {
  const folder = join(cache, `${basename(dirname(list))}-${basename(list, ".txt")}`);
  const wanted = await readFile(list, "utf8");
  const release = await lock(`${folder}.lock`);
  try {
    return await createOnce(folder, { list, wanted });
  } finally {
    await release();
  }
}

async function createOnce(folder: string, { list, wanted }: { readonly list: string; readonly wanted: string }) {
  const python = join(folder, "bin/python");
  const installed = join(folder, "installed.txt");
  if ((await readFile(installed, "utf8").catch(() => "")) === wanted) return python;
  await rm(folder, { recursive: true, force: true });
  await run("python3", ["-m", "venv", folder]).catch((error: unknown) => {
    throw new Error("These tests need Python 3.10 or newer with venv. Install python3 and python3-venv.", {
      cause: error,
    });
  });
  await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", list], { timeout });
  await writeFile(installed, wanted);
  return python;
}

/** Takes a lock, since test files run in parallel. Replaces a lock whose process was killed. */
async function lock(path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await isMade(path))) {
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > timeout + 60_000) await rm(path, { recursive: true, force: true });
    await pause(100);
  }
  return async () => await rm(path, { recursive: true, force: true });
}

const isMade = async (path: string): Promise<boolean> =>
  await mkdir(path).then(
    () => true,
    () => false,
  );

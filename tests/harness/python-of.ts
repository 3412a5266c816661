import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, "../../node_modules/.cache/python");

/**
 * Returns the Python interpreter of a virtual environment with the packages of the requirements file `list`. Creates the environment on
 * first use and again when the file changes. Throws when Python 3 with venv is missing, or when the packages take longer than three minutes.
 */
export async function pythonOf(list: string): Promise<string> {
  const folder = join(cache, `${basename(dirname(list))}-${basename(list, ".txt")}`);
  const python = join(folder, "bin/python");
  const installed = join(folder, "installed.txt");
  const wanted = await readFile(list, "utf8");
  if ((await readFile(installed, "utf8").catch(() => "")) === wanted) return python;
  await rm(folder, { recursive: true, force: true });
  await run("python3", ["-m", "venv", folder]).catch((error: unknown) => {
    throw new Error(
      "The agents on the Python SDK need Python 3.10 or newer with venv. Install python3 and python3-venv.",
      {
        cause: error,
      },
    );
  });
  await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", list], {
    timeout: 180_000,
  });
  await writeFile(installed, wanted);
  return python;
}

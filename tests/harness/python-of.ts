import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { installOnce, installTimeout, newestPackages } from "./install-once.ts";

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, "../../node_modules/.cache/python");

/** For Python programs of these tests: compiled modules are kept, but not in the folders of their sources. */
export const pythonEnv = { PYTHONPYCACHEPREFIX: join(cache, "compiled") };

/** Installs the packages of seven frameworks in half a minute; pip needs minutes. */
const installer = "uv==0.13.9";

/**
 * Returns the Python interpreter of a virtual environment with the packages of the requirements file `list`. Creates the environment on
 * first use and again when the file changes. Throws when Python 3 with venv is missing, or when the packages take longer than three minutes.
 */
export async function pythonOf(list: string): Promise<string> {
  const folder = join(cache, `${basename(dirname(list))}-${basename(list, ".txt")}`);
  const python = join(folder, "bin/python");
  const wanted = `${newestPackages}\n${await readFile(list, "utf8")}`;
  await installOnce(folder, {
    wanted,
    install: async () => {
      const uv = await installerOf();
      await run(uv, ["venv", "--quiet", "--python", "python3", folder]);
      const options = ["--quiet", "--python", python, "--exclude-newer", newestPackages, "--requirements", list];
      await run(uv, ["pip", "install", ...options], { timeout: installTimeout });
    },
  });
  return python;
}

/** Returns the program that installs Python packages. Installs it on first use. */
async function installerOf(): Promise<string> {
  const folder = join(cache, "installer");
  await installOnce(folder, {
    wanted: installer,
    install: async () => {
      await run("python3", ["-m", "venv", folder]).catch((error: unknown) => {
        throw new Error("These tests need Python 3.11 or newer with venv. Install python3 and python3-venv.", {
          cause: error,
        });
      });
      const options = ["--quiet", "--disable-pip-version-check"];
      await run(join(folder, "bin/python"), ["-m", "pip", "install", ...options, installer], {
        timeout: installTimeout,
      });
    },
  });
  return join(folder, "bin/uv");
}

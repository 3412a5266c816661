import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { lock } from "@crosszone/testkit/lock";

/** How long one installation can take, milliseconds. */
export const installTimeout = 180_000;

/** Ignores packages that were published later, so that an unpinned dependency of a pinned package stays the same. */
const newestPackages = "2026-11-23T00:00:00Z";

/**
 * Installs into a folder on first use, and again when `wanted` changes, such as the text of a requirements file. Other processes wait for it.
 * `install` gets the folder, which is new.
 */
export async function installOnce(
  folder: string,
  { wanted, install }: { readonly wanted: string; readonly install: (folder: string) => Promise<void> },
): Promise<void> {
  const release = await lock(`${folder}.lock`, installTimeout + 60_000);
  try {
    const installed = join(folder, "installed.txt");
    if ((await readFile(installed, "utf8").catch(() => undefined)) === wanted) return;
    await rm(folder, { recursive: true, force: true });
    await install(folder);
    await writeFile(installed, wanted);
  } finally {
    await release();
  }
}

/** Returns a folder with these packages of npm, such as `mcp-remote@0.15.1`, which it installs on first use. */
export async function npmFolderOf(name: string, ...packages: readonly string[]): Promise<string> {
  const folder = resolve(import.meta.dirname, "../../node_modules/.cache/npm", name);
  await installOnce(folder, {
    wanted: [newestPackages, ...packages].join("\n"),
    install: async () => {
      await mkdir(folder, { recursive: true });
      // Without one npm would install into the repository.
      await writeFile(join(folder, "package.json"), "{}");
      const options = ["--ignore-scripts", "--silent", `--before=${newestPackages}`];
      await run("npm", ["install", ...options, ...packages], { cwd: folder, timeout: installTimeout });
    },
  });
  return folder;
}

/** Returns a folder with the packages of npm that the `package.json` of `source` pins. */
export async function npmFolderFor(source: string): Promise<string> {
  const manifest = await readFile(join(source, "package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { readonly dependencies: Readonly<Record<string, string>> };
  return await npmFolderOf(basename(source), ...Object.entries(dependencies).map((pinned) => pinned.join("@")));
}

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, "../../node_modules/.cache/python");

/** For Python programs of these tests: compiled modules are kept, but not in the folders of their sources. */
export const pythonEnv = { PYTHONPYCACHEPREFIX: join(cache, "compiled") };

/** Installs the packages of seven frameworks in half a minute; pip needs minutes. */
const installer = "uv==0.13.9";

/**
 * Returns the Python interpreter of a virtual environment with the packages of the requirements file `list`, and with those of a file
 * `alone.txt` next to it, without their dependencies. Creates the environment on first use and again when a file changes. Throws when
 * Python 3 with venv is missing, or when the packages take longer than three minutes.
 */
export async function pythonOf(list: string): Promise<string> {
  const folder = join(cache, `${basename(dirname(list))}-${basename(list, ".txt")}`);
  const python = join(folder, "bin/python");
  const alone = join(dirname(list), "alone.txt");
  const wantedAlone = await readFile(alone, "utf8").catch(() => "");
  const wanted = `${newestPackages}\n${await readFile(list, "utf8")}${wantedAlone}`;
  await installOnce(folder, {
    wanted,
    install: async () => {
      const uv = await installerOf();
      await run(uv, ["venv", "--quiet", "--python", "python3", folder]);
      const options = ["--quiet", "--python", python, "--exclude-newer", newestPackages, "--requirements"];
      await run(uv, ["pip", "install", ...options, list], { timeout: installTimeout });
      if (wantedAlone !== "")
        await run(uv, ["pip", "install", "--no-deps", ...options, alone], { timeout: installTimeout });
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

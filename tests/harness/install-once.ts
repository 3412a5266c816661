import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** How long one installation can take, milliseconds. */
export const installTimeout = 180_000;

/** Ignores packages that were published later, so that an unpinned dependency of a pinned package stays the same. */
export const newestPackages = "2026-11-23T00:00:00Z";

interface Installation {
  /** What is installed, such as the text of a requirements file. A change installs again. */
  readonly wanted: string;
  /** Installs into the folder, which is new. */
  readonly install: (folder: string) => Promise<void>;
}

/** Installs into a folder on first use, and again when `wanted` changes. Other processes wait for it. */
export async function installOnce(folder: string, { wanted, install }: Installation): Promise<void> {
  const release = await lock(`${folder}.lock`);
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

/** Takes a lock, since test files run in parallel. Replaces a lock whose process was killed. */
async function lock(path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await isMade(path))) {
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > installTimeout + 60_000) await rm(path, { recursive: true, force: true });
    await pause(100);
  }
  return async () => await rm(path, { recursive: true, force: true });
}

const isMade = async (path: string): Promise<boolean> =>
  await mkdir(path).then(
    () => true,
    () => false,
  );

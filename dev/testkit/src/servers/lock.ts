import { mkdir, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Takes a lock, since test files run in parallel. Replaces one that is older than `staleMs`, milliseconds: its process was killed. Returns a function
 * that releases it.
 */
export async function lock(path: string, staleMs: number): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await isMade(path))) {
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > staleMs) await rm(path, { recursive: true, force: true });
    await pause(100);
  }
  return async () => await rm(path, { recursive: true, force: true });
}

const isMade = async (path: string): Promise<boolean> =>
  await mkdir(path).then(
    () => true,
    () => false,
  );

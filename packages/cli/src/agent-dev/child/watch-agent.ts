import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { join, relative } from "node:path";

/** Debounce, milliseconds: editors write a file in several steps. */
const pauseMs = 80;

/** Folders and files whose changes say nothing about the agent: dependencies, caches, data, editors' own files. */
const ignored =
  /^(node_modules|__pycache__|cassettes|venv|dist|build|coverage|\..*)$|(\.(pyc|log|sqlite|db|swp|tmp)|~|-journal|-wal|-shm)$/;

/**
 * Calls `onEdit` with a file's path shortly after the last edit in a folder. Returns a function that stops watching. Watches each folder by
 * itself: a recursive watcher misses files that an editor replaces.
 */
export function watchAgent(root: string, onEdit: (path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let pause: NodeJS.Timeout | undefined;

  function add(folder: string): void {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (_, name) => name !== null && changed(join(folder, name), name));
    // For example, the folder was deleted.
    watcher.on("error", () => forget(folder));
    watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !ignored.test(entry.name)) add(join(folder, entry.name));
  }

  function forget(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function changed(path: string, name: string): void {
    if (ignored.test(name)) return;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return add(path);
    if (found === undefined) forget(path);
    clearTimeout(pause);
    pause = setTimeout(() => onEdit(relative(root, path)), pauseMs);
  }

  add(root);
  return () => {
    clearTimeout(pause);
    for (const folder of watchers.keys()) forget(folder);
  };
}

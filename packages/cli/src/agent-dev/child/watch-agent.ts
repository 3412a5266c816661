import { statSync, watch } from "node:fs";
import { join } from "node:path";

/** Debounce, milliseconds: editors write a file in several steps. */
const pauseMs = 80;

/** Folders and files whose changes say nothing about the agent: dependencies, caches, data, editors' own files. */
const ignored =
  /(^|[\\/])(node_modules|__pycache__|cassettes|venv|dist|build|coverage|\.[^\\/]+)([\\/]|$)|(\.(pyc|log|sqlite|db|swp|tmp)|~|-journal|-wal|-shm)$/;

/** Calls `onEdit` with a file's path shortly after the last edit in a folder. Returns a function that stops watching. */
export function watchAgent(folder: string, onEdit: (path: string) => void): () => void {
  let pause: NodeJS.Timeout | undefined;
  const since = Date.now();
  const watcher = watch(folder, { recursive: true }, (_, path) => {
    if (path === null || ignored.test(path) || !isEdited(join(folder, path), since)) return;
    clearTimeout(pause);
    pause = setTimeout(() => onEdit(path), pauseMs);
  });
  watcher.on("error", () => watcher.close());
  return () => {
    clearTimeout(pause);
    watcher.close();
  };
}

/** Reading a file can raise an event as well: only a file that changed since, or is gone, counts. Folders don't. */
function isEdited(path: string, since: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.mtimeMs >= since - 1_000);
}

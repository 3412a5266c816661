import { existsSync, watch } from "node:fs";

/** Debounce, milliseconds: editors write a file in several steps, and a checkout writes many files. */
const pauseMs = 200;

/**
 * Calls `onChanged` shortly after the last change of a folder's files. Ignores hidden files and subfolders. Returns a function that stops
 * watching.
 */
export function watchFolder(folder: string, onChanged: () => void): () => void {
  // The code that reads the folder reports a missing one.
  if (!existsSync(folder)) return () => undefined;
  let pause: NodeJS.Timeout | undefined;
  const watcher = watch(folder, (_, name) => {
    if (name?.startsWith(".")) return;
    clearTimeout(pause);
    pause = setTimeout(onChanged, pauseMs);
  });
  // For example, the folder was deleted.
  watcher.on("error", () => watcher.close());
  return () => {
    clearTimeout(pause);
    watcher.close();
  };
}

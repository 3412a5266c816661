import { existsSync, watch } from "node:fs";

/** Editors write a file in several goes, and a checkout many files; milliseconds. */
const pauseMs = 200;

/** Tells when files of a folder were changed, a moment after the last change; not of hidden ones, nor of what is in folders of it. Gives what ends that. */
export function watchFolder(folder: string, onChanged: () => void): () => void {
  // Whoever reads a folder that is not there says so.
  if (!existsSync(folder)) return () => undefined;
  let pause: NodeJS.Timeout | undefined;
  const watcher = watch(folder, (_, name) => {
    if (name?.startsWith(".")) return;
    clearTimeout(pause);
    pause = setTimeout(onChanged, pauseMs);
  });
  // As when the folder goes.
  watcher.on("error", () => watcher.close());
  return () => {
    clearTimeout(pause);
    watcher.close();
  };
}

import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** The URL of a module by its path from another, without the ending: `.ts` in the sources, `.js` in what is built of them. */
export function moduleBeside(importer: string, path: string): URL {
  return new URL(path + extname(new URL(importer).pathname), importer);
}

/** Starts a module beside another, named as `moduleBeside` does, as a thread. */
export function startThread(importer: string, path: string, options: WorkerOptions): Worker {
  const entry = moduleBeside(importer, path);
  // Sources find those of the other packages by this condition, with which this process need not have been started.
  const execArgv = extname(entry.pathname) === ".ts" ? { execArgv: ["--conditions=@crosszone/source"] } : {};
  return new Worker(entry, { ...options, ...execArgv });
}

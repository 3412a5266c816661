import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Returns the version of a module's package. Pass `import.meta.url`. */
export function packageVersion(moduleUrl: string): string {
  const path = findPackageJSON(moduleUrl);
  if (path === undefined) return "unknown";
  const { version = "unknown" } = JSON.parse(readFileSync(path, "utf8")) as { readonly version?: string };
  return version;
}

/** Starts a module as a thread. `path` is relative to another module and has no extension: `.ts` in the sources, `.js` in the build. */
export function startThread(importer: string, path: string, options: WorkerOptions): Worker {
  const entry = new URL(path + extname(new URL(importer).pathname), importer);
  // Sources resolve the other packages by this condition. The process itself may have been started without it.
  const execArgv = extname(entry.pathname) === ".ts" ? { execArgv: ["--conditions=@crosszone/source"] } : {};
  return new Worker(entry, { ...options, ...execArgv });
}

import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** Returns the version of a module's package. Pass `import.meta.url`. */
export function packageVersion(moduleUrl: string): string {
  const path = findPackageJSON(moduleUrl);
  const { version = "unknown" } = path === undefined ? {} : (JSON.parse(readFileSync(path, "utf8")) as Manifest);
  return version;
}

interface Manifest {
  readonly version?: string;
}

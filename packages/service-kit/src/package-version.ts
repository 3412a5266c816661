import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** The version of the package that a module belongs to: give it `import.meta.url`. */
export function packageVersion(moduleUrl: string): string {
  const path = findPackageJSON(moduleUrl);
  const { version = "unknown" } = path === undefined ? {} : (JSON.parse(readFileSync(path, "utf8")) as Manifest);
  return version;
}

interface Manifest {
  readonly version?: string;
}

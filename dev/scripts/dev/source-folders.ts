import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** Returns the `src` folders of a package and of all workspace packages that it depends on, directly or not. */
export function sourceFolders(folder: string, found = new Set<string>()): string[] {
  found.add(join(folder, "src"));
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const [name, version] of Object.entries(dependencies)) {
    if (!version.startsWith("workspace:")) continue;
    const needed = realpathSync(join(folder, "node_modules", name));
    if (!found.has(join(needed, "src"))) sourceFolders(needed, found);
  }
  return [...found];
}

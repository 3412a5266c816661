import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Sources, declarations, source maps, texts for people, and what compilers remember. */
const unusedFiles = /\.([cm]?ts|tsx|map|md|mdx|markdown|flow|tsbuildinfo)$/i;
/** Folders of a package that only its developers use, when they are at its root: deeper ones can be part of its code. */
const unusedFolders = /^(__tests__|bench|benchmarks?|coverage|docs?|examples?|tests?)$/;
/** The terms under which a package may be copied go along with the copy. */
const terms = /^(licen[cs]e|notice|copying)/i;
const packageRoot = /(^|\/)node_modules\/(@[^/]+\/)?[^/@.][^/]*$/;
const pnpmFiles = /^pnpm-(lock|workspace)\.yaml$/;

/**
 * Whether a deployed app can run without a file or folder. `path` is relative to the app, with slashes. By class: a name that begins with a
 * dot, an extension that Node does not load, a folder of tests, examples or documentation at the root of a dependency.
 */
export function isUnused(path: string, isFolder: boolean): boolean {
  const [folder, name] = [path.slice(0, Math.max(0, path.lastIndexOf("/"))), path.slice(path.lastIndexOf("/") + 1)];
  if (name.startsWith(".")) return true;
  if (isFolder) return packageRoot.test(folder) && unusedFolders.test(name);
  if (folder === "" && pnpmFiles.test(name)) return true;
  return unusedFiles.test(name) && !terms.test(name);
}

/** Removes from a deployed app what it does not need at run time, and folders that become empty. */
export function slimTree(app: string): void {
  const slimFolder = (folder: string): boolean => {
    let isEmpty = true;
    for (const entry of readdirSync(join(app, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isGone = isUnused(path, entry.isDirectory()) || (entry.isDirectory() && slimFolder(path));
      if (isGone) rmSync(join(app, path), { recursive: true, force: true });
      else isEmpty = false;
    }
    return isEmpty;
  };
  slimFolder("");
}

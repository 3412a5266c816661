import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findLibraries } from "./find-libraries.ts";
import { findNode } from "./find-node.ts";
import type { ImageOptions } from "./options.ts";
import { run } from "../run-program.ts";

export interface GatherOptions extends Pick<ImageOptions, "app" | "platform" | "base"> {
  /** The repository. */
  readonly root: string;
  /** Holds the result; what it held before is removed. */
  readonly folder: string;
  /** Gets a line for each step. */
  readonly say: (line: string) => void;
}

/** What a Linux without any file lacks: the names of its users, and the order in which host names are looked up. */
const systemFiles = {
  "etc/passwd": "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/data:/sbin/nologin\n",
  "etc/group": "root:x:0:\nnonroot:x:65532:\n",
  "etc/nsswitch.conf": "hosts: files dns\n",
};

/**
 * Gathers what goes into the image of an app: `root/` with the app at `/app`, and, without a base, Node and its libraries; and `volume/`, with
 * the empty `/data`. Builds the app first. Throws an `ImageError`.
 */
export async function gatherFiles({ app, platform, base, root, folder, say }: GatherOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const image = join(folder, "root");
  mkdirSync(join(folder, "volume/data"), { recursive: true });
  chmodSync(join(folder, "volume/data"), 0o770);
  mkdirSync(image);

  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string };
  const pnpm = (...args: string[]): Promise<string> => run("npx", ["-y", packageManager, ...args], { cwd: root, env });
  say(`Building ${app}`);
  await pnpm("exec", "turbo", "run", "build", `--filter=@crosszone/${app}...`);
  say(`Gathering the files of ${app} for ${platform}`);
  const processor = ["--os=linux", "--libc=glibc", `--cpu=${platform === "linux/arm64" ? "arm64" : "x64"}`];
  // Without links into a store, whose names have the path of this repository: the tree must not say where it was built.
  const layout = "--config.node-linker=hoisted";
  await pnpm("--filter", `@crosszone/${app}`, "deploy", "--prod", layout, ...processor, join(image, "app"));
  slimTree(join(image, "app"));
  copyFileSync(join(root, "LICENSE"), join(image, "app/LICENSE"));

  if (base !== "scratch") return;
  copy(await findNode({ root, platform, say }), join(image, "usr/local/bin/node"));
  for (const { from, to } of await findLibraries({ root, platform, say })) copy(from, join(image, to));
  for (const [path, text] of Object.entries(systemFiles)) write(join(image, path), text);
  mkdirSync(join(image, "tmp"));
  chmodSync(join(image, "tmp"), 0o1777);
}

/** Nothing is installed as a side effect: neither in this repository nor in the files of the image. */
const env = { TURBO_TELEMETRY_DISABLED: "1", pnpm_config_verify_deps_before_run: "false", CI: "1" };

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Sources, declarations, source maps, tests, texts for people, and what compilers remember. */
const unusedFiles = /\.([cm]?ts|tsx|map|md|mdx|markdown|flow|tsbuildinfo|(test|spec)\.[cm]?js)$/i;
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
function isUnused(path: string, isFolder: boolean): boolean {
  const [folder, name] = [path.slice(0, Math.max(0, path.lastIndexOf("/"))), path.slice(path.lastIndexOf("/") + 1)];
  if (name.startsWith(".")) return true;
  if (isFolder) return packageRoot.test(folder) && unusedFolders.test(name);
  if (folder === "" && pnpmFiles.test(name)) return true;
  return unusedFiles.test(name) && !terms.test(name);
}

/**
 * Removes from a deployed app what it does not need at run time, folders that become empty, and where it was built: pnpm writes the path of
 * each package of this repository as its version.
 */
export function slimTree(app: string): void {
  const manifest = join(app, "package.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replaceAll(/"(?:@[\w-]+\/[\w.-]+@)?file:\/\/[^"]*"/g, '"*"'));
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

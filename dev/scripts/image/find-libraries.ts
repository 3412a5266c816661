import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheOf, type FindOptions } from "./find-node.ts";
import { ImageError, type Platform } from "./options.ts";
import { isInstalled, run } from "../run-program.ts";

/** A file to copy: its path on this machine, and in the image. */
export interface LibraryFile {
  readonly from: string;
  readonly to: string;
}

/** What Node, and native modules built for glibc, are linked with: the `NEEDED` entries that `readelf -d` shows. */
const names = [
  "libatomic.so.1",
  "libc.so.6",
  "libdl.so.2",
  "libgcc_s.so.1",
  "libm.so.6",
  "libpthread.so.0",
  "libstdc++.so.6",
];
const debianPackages = ["libatomic1", "libc6", "libgcc-s1", "libstdc++6"];

interface Processor {
  /** What Debian calls it. */
  readonly debian: string;
  readonly nodeArch: string;
  /** The program that loads libraries, at the path that programs name. */
  readonly loader: string;
  readonly folders: readonly string[];
}

const processors: Record<Platform, Processor> = {
  "linux/amd64": {
    debian: "amd64",
    nodeArch: "x64",
    loader: "lib64/ld-linux-x86-64.so.2",
    folders: ["lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu", "lib64", "usr/lib64"],
  },
  "linux/arm64": {
    debian: "arm64",
    nodeArch: "arm64",
    loader: "lib/ld-linux-aarch64.so.1",
    folders: ["lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib64", "usr/lib64"],
  },
};

/**
 * The libraries that Node needs: this machine's own, or for another processor those of Debian, which apt downloads into a folder of its own,
 * without root. Each keeps its path, which is where its loader looks. Throws an `ImageError`.
 */
export async function findLibraries(options: FindOptions): Promise<LibraryFile[]> {
  const processor = processors[options.platform];
  const isNative = process.platform === "linux" && process.arch === processor.nodeArch;
  const system = isNative ? "/" : await downloadLibraries(options, processor);
  return [processor.loader, ...names.map((name) => pathOf(name, { ...processor, system }))].map((path) => ({
    from: join(system, path),
    to: path,
  }));
}

function pathOf(name: string, { folders, system }: Processor & { readonly system: string }): string {
  const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(join(system, candidate)));
  if (path !== undefined) return path;
  throw new ImageError(
    `${name} is not installed, which Node needs. Install ${debianPackages.join(", ")}, or build with --tool docker.`,
  );
}

/** Debian's packages of the libraries, unpacked. apt checks their signatures with the keys of this machine. */
async function downloadLibraries({ root, say }: FindOptions, { debian }: Processor): Promise<string> {
  const folder = join(cacheOf(root), `libraries-${debian}`);
  if (existsSync(folder)) return folder;
  if (!(await isInstalled("apt-get", "--version")))
    throw new ImageError(
      `The libraries for ${debian} come from Debian packages, and apt-get is not installed. Build with --tool docker, or on a machine with that processor.`,
    );
  say(`Downloading the libraries for ${debian}`);
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  for (const part of ["lists/partial", "cache/archives/partial", "tree"])
    mkdirSync(join(work, part), { recursive: true });
  writeFileSync(join(work, "status"), "");
  const settings = [
    `Dir::State=${work}`,
    `Dir::State::status=${join(work, "status")}`,
    `Dir::Cache=${join(work, "cache")}`,
    `APT::Architecture=${debian}`,
    `APT::Architectures=${debian}`,
    "APT::Sandbox::User=",
  ].flatMap((setting) => ["-o", setting]);
  await run("apt-get", [...settings, "update", "-qq"], { cwd: work });
  await run("apt-get", [...settings, "download", "-qq", ...debianPackages], { cwd: work });
  for (const archive of globSync("*.deb", { cwd: work }))
    await run("dpkg-deb", ["-x", archive, join(work, "tree")], { cwd: work });
  renameSync(join(work, "tree"), folder);
  rmSync(work, { recursive: true, force: true });
  return folder;
}

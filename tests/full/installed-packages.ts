import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { OtherPackages, Packument } from "./local-registry.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** What this repository has installed, as packages of a registry: a test installs from it without any network. */
export function installedPackages(repoDir: string, url: string): OtherPackages {
  const store = join(repoDir, "node_modules/.pnpm");
  const folders = new Map<string, string>();
  const packuments = new Map<string, Packument>();
  for (const path of globSync(["*@*/node_modules/*/package.json", "*@*/node_modules/@*/*/package.json"], {
    cwd: store,
  })) {
    const folder = dirname(join(store, path));
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const { name, version } = manifest;
    // The folder of a package has links to those that it needs beside it.
    if (!path.startsWith(`${name.replace("/", "+")}@${version}`)) continue;
    const tarball = `/installed/${name}-${version}.tgz`;
    folders.set(tarball, folder);
    const versions = {
      ...packuments.get(name)?.versions,
      [version]: { ...manifest, dist: { tarball: url + tarball } },
    };
    packuments.set(name, { name, "dist-tags": { latest: version }, versions });
  }
  return {
    packument: (name) => packuments.get(name),
    tarball: async (path) => {
      const folder = folders.get(path);
      if (folder === undefined) return undefined;
      // pnpm links files with the same content, and npm unpacks no links.
      const args = [
        "-czf",
        "-",
        "--hard-dereference",
        "--transform",
        "s,^\\.,package,",
        "--exclude",
        "./node_modules",
        "-C",
        folder,
        ".",
      ];
      const options = { encoding: "buffer", maxBuffer: 512 * 1024 * 1024 } as const;
      return (await promisify(execFile)("tar", args, options)).stdout;
    },
  };
}

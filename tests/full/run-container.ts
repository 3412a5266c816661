import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startProcess, type ZoneProcess } from "../harness/start-process.ts";
import { tempFolder } from "@crosszone/testkit/temporary";

export interface ContainerOptions {
  /** The folder that `unpackImage` wrote. */
  readonly bundle: string;
  /** Added to the image's variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of this machine, by their path in the container. Only `/data` is writable. */
  readonly mounts: Readonly<Record<string, string>>;
}

export interface Container extends ZoneProcess {
  /** Runs a program in the container, with the zone's rights and variables. Resolves with its output; rejects if it fails. */
  exec(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

interface RuntimeConfig {
  ociVersion: string;
  process: { args: string[]; cwd: string; env: string[]; user: { uid: number; gid: number } };
  mounts: { destination: string; type: string }[];
}

const run = promisify(execFile);

/** Unpacks an OCI layout for runc. Resolves with the folder of `rootfs` and `config.json`. Needs root. */
export async function unpackImage(layout: string, folder: string): Promise<string> {
  await run("umoci", ["unpack", "--image", `${layout}:latest`, folder]);
  return folder;
}

/**
 * Runs an unpacked image as strictly as a platform: the image's user, no capabilities, no new privileges, a read-only root, and a tmpfs at /tmp. It
 * shares this machine's network. Ends with the test.
 */
export async function startContainer({ bundle, env, mounts }: ContainerOptions): Promise<Container> {
  const image = JSON.parse(readFileSync(join(bundle, "config.json"), "utf8")) as RuntimeConfig;
  const variables = [...image.process.env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  writeFileSync(join(bundle, "config.json"), JSON.stringify(strictConfig(image, variables, mounts)));
  const state = tempFolder();
  const id = randomUUID();
  const runc = ["--root", state];
  const args = [...runc, "run", "--bundle", bundle, id];
  const zone = await startProcess({ program: "runc", args, cwd: bundle, env: {} });
  return {
    ...zone,
    exec: async (command, more = {}) => {
      const set = Object.entries(more).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
      return (await run("runc", [...runc, "exec", ...set, id, ...command])).stdout;
    },
  };
}

function strictConfig(image: RuntimeConfig, env: readonly string[], mounts: ContainerOptions["mounts"]) {
  const { args, cwd, user } = image.process;
  const kernel = image.mounts.filter(({ destination }) => /^\/(proc|dev(\/(pts|shm|mqueue))?)$/.test(destination));
  return {
    ociVersion: image.ociVersion,
    process: { args, cwd, env, user, capabilities: {}, noNewPrivileges: true, terminal: false },
    root: { path: "rootfs", readonly: true },
    mounts: [
      ...kernel,
      { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=1777"] },
      // Every container runtime mounts these two.
      ...Object.entries({ ...mounts, "/etc/hosts": "/etc/hosts", "/etc/resolv.conf": "/etc/resolv.conf" }).map(
        ([destination, source]) => ({
          destination,
          type: "bind",
          source,
          options: ["bind", destination === "/data" ? "rw" : "ro"],
        }),
      ),
    ],
    linux: { namespaces: ["pid", "ipc", "uts", "mount"].map((type) => ({ type })) },
  };
}

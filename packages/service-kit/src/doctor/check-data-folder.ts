import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { failed, passed, skipped, warned, type Check, type Finding } from "./check.ts";

export interface DataFolder {
  readonly url: () => string;
  readonly reads: readonly string[];
  /** `DATA_DIR` as it was written. */
  readonly dataDir: string;
  /** Others than this machine can reach the zone: somebody has put it somewhere on purpose. */
  readonly listensBeyond: () => boolean;
  /** The kind of network that a folder is on; nothing when it is on this machine. */
  readonly networkOf: (folder: string) => string | undefined;
  /** What is free on a folder's disk, bytes. */
  readonly freeBytesOf?: (folder: string) => number;
}

const tooLittle = 100 * 1_048_576;
const little = 1_024 * 1_048_576;

/** Whether the SQLite file has a place: a folder of this machine that may be written, with room, and that is the same after a restart. */
export function checkDataFolder({
  url,
  reads,
  dataDir,
  listensBeyond,
  networkOf,
  freeBytesOf = readFreeBytes,
}: DataFolder): Check {
  return {
    name: "database disk",
    reads,
    run: () => {
      if (!url().startsWith("sqlite:")) return skipped("DATABASE_URL is set: the disk is the server's");
      const folder = existing(dirname(url().slice("sqlite:".length)));
      const finding = judgeFolder(folder, { network: networkOf(folder), freeBytes: freeBytesOf(folder) });
      if (finding.status !== "passed" || isAbsolute(dataDir) || !listensBeyond()) return finding;
      return warned(
        `${finding.says}; DATA_DIR is relative, so the data depends on where the process is started`,
        "Set DATA_DIR to an absolute path on a disk that stays, or set DATABASE_URL.",
      );
    },
  };
}

function judgeFolder(
  folder: string,
  { network, freeBytes }: { readonly network: string | undefined; readonly freeBytes: number },
): Finding {
  if (network !== undefined)
    return failed(
      `${folder} is on a network (${network}), where SQLite loses writes`,
      "Set DATA_DIR to a folder on a disk of this machine, or set DATABASE_URL.",
    );
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return failed(
      `${folder} may not be written by this user`,
      "Give the folder to this user, or name another in DATA_DIR.",
    );
  }
  const says = `${Math.floor(freeBytes / 1_048_576)} MB are free in ${folder}`;
  if (freeBytes < tooLittle) return failed(says, "Make room: a full disk stops the zone from taking messages.");
  return freeBytes < little
    ? warned(says, "Make room before it is full: then the zone takes no messages.")
    : passed(says);
}

/** The folder, or the nearest above it that is there. */
function existing(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existing(dirname(folder));
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

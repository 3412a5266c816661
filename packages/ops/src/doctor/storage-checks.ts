import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { type Check, failed, type Finding, passed, skipped, warned } from "./checks.ts";

export interface DataFolder {
  readonly url: () => string;
  readonly reads: readonly string[];
  /** `DATA_DIR` as it was written. */
  readonly dataDir: string;
  /** Whether the zone can be reached from other machines, so that it is probably deployed. */
  readonly listensBeyond: () => boolean;
  /** Returns the type of network file system of a folder; undefined for a local one. */
  readonly networkOf: (folder: string) => string | undefined;
  /** Returns the free space on a folder's disk, bytes. */
  readonly freeBytesOf?: (folder: string) => number;
}

const tooLittle = 100 * 1_048_576;
const little = 1_024 * 1_048_576;

/** Checks the folder of the SQLite file: local, writable, with free space, and the same after a restart. */
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
      if (!url().startsWith("sqlite:")) return skipped("not used: DATABASE_URL is set");
      const folder = existing(dirname(url().slice("sqlite:".length)));
      const finding = judgeFolder(folder, { network: networkOf(folder), freeBytes: freeBytesOf(folder) });
      if (finding.status !== "passed" || isAbsolute(dataDir) || !listensBeyond()) return finding;
      return warned(
        `${finding.says}; DATA_DIR is relative, so the data depends on the working directory`,
        "Set DATA_DIR to an absolute path on a persistent disk, or set DATABASE_URL.",
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
      `${folder} is on a network file system (${network}), where SQLite loses writes`,
      "Set DATA_DIR to a folder on a disk of this machine, or set DATABASE_URL.",
    );
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return failed(
      `${folder} is not writable by this user`,
      "Make the folder writable for this user, or set another one in DATA_DIR.",
    );
  }
  const says = `${Math.floor(freeBytes / 1_048_576)} MB are free in ${folder}`;
  if (freeBytes < tooLittle) return failed(says, "Free up space: with a full disk, the zone can't accept messages.");
  return freeBytes < little
    ? warned(says, "Free up space before the disk is full. Then the zone can't accept messages.")
    : passed(says);
}

/** Returns the folder, or its nearest existing parent. */
function existing(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existing(dirname(folder));
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const make = "Create one with: openssl rand -base64 32";

/** Checks that the data keys are random, and lists retired ones. Shows only their ids. */
export function checkDataKeys(items: readonly string[] | undefined): Check {
  return {
    name: "data keys",
    reads: ["DATA_KEYS"],
    run: () => {
      if (items === undefined)
        return warned(
          "DATA_KEYS is not set: secrets are not stored, and what people write is stored unencrypted",
          make,
        );
      const keys = items.map((item) => {
        const [id = "", text = ""] = item.split(":", 2);
        return { id, bytes: Buffer.from(text, "base64") };
      });
      const weak = keys.filter(({ bytes }) => looksChosen(bytes)).map(({ id }) => id);
      if (weak.length > 0) return failed(`${weak.join(", ")} can be guessed: it is text, or repeats itself`, make);
      const [first, ...others] = keys.map(({ id }) => id);
      if (new Set(keys.map(({ bytes }) => bytes.toString("hex"))).size < keys.length)
        return warned("two ids have the same key, so rotating between them has no effect", make);
      if (others.length === 0) return passed(`one, ${first}, looks random`);
      const todo = `Run the data command reseal, then remove ${others.join(", ")}.`;
      return warned(`${first} encrypts; ${others.join(", ")} can still decrypt`, todo);
    },
  };
}

/** 32 random bytes have about 30 distinct values, and are almost never all printable. */
function looksChosen(bytes: Buffer): boolean {
  return new Set(bytes).size < 20 || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Checkpoint, splitNotes } from "../tree/checkpoint.ts";

/** A place outside the zone that keeps checkpoints. An attacker with the database and the key must change this place too. */
export interface AuditAnchor {
  /** Rejects if the place did not accept the note. */
  readonly write: (origin: string, note: string) => Promise<void>;
  /** Returns the note of the largest tree of this origin. Undefined if there is none, or the place can't be read. */
  readonly latest: (origin: string) => Promise<string | undefined>;
}

const postTimeoutMs = 10_000;

/** Creates the anchor of a folder's path, with one file for each origin, or of an `https:` URL, which receives each note by POST. */
export function createAnchor(target: string): AuditAnchor {
  return target.startsWith("https:") ? createPostAnchor(target) : createFolderAnchor(target);
}

function createFolderAnchor(folder: string): AuditAnchor {
  const pathOf = (origin: string): string => join(folder, `${origin.replaceAll("/", "_")}.txt`);
  return {
    write: async (origin, note) => {
      await mkdir(folder, { recursive: true });
      await appendFile(pathOf(origin), note, { flush: true });
    },
    latest: async (origin) => {
      const text = await readFile(pathOf(origin), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return "";
        throw error;
      });
      return splitNotes(text).reduce<string | undefined>(larger, undefined);
    },
  };
}

function createPostAnchor(url: string): AuditAnchor {
  return {
    write: async (_origin, note) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "text/plain; charset=utf-8" },
        body: note,
        redirect: "error",
        signal: AbortSignal.timeout(postTimeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`${new URL(url).host} answered with HTTP ${response.status}`);
    },
    latest: async () => undefined,
  };
}

/** Processes can write their notes in another order than they signed them. */
const larger = (one: string | undefined, other: string): string =>
  one !== undefined && sizeOf(one) > sizeOf(other) ? one : other;

const sizeOf = (note: string): Checkpoint["size"] => Number(note.split("\n")[1]);

import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

const executeForOthers = 0o001;

/** The innermost folder above `path` that other users can't enter, or undefined when there is none. */
export function closedFolderAbove(path: string): string | undefined {
  for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & executeForOthers) === 0) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Throws when the user `postgres`, which runs PostgreSQL when the tests run as root, can't enter the folder above `path`. */
export function checkReachable(path: string): void {
  const closed = closedFolderAbove(path);
  if (closed !== undefined)
    throw new Error(
      `PostgreSQL for the tests can't run as root, and the user postgres can't enter ${closed}. ` +
        `Run the tests as another user, set TMPDIR to another folder, or: chmod o+x ${closed}`,
    );
}

import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

const executeForOthers = 0o001;

/** As root, PostgreSQL is run by the user `postgres`, who has to get to its programs and to its folder. */
export function checkReachable(path: string): void {
  for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & executeForOthers) === 0)
      throw new Error(
        `PostgreSQL for the tests cannot be run by root, and the user postgres cannot enter ${folder}. ` +
          `Run the tests as another user, move the repository (or TMPDIR) elsewhere, or: chmod o+x ${folder}`,
      );
    if (folder === dirname(folder)) return;
  }
}

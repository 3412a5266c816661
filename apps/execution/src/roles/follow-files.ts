import { statSync } from "node:fs";

/** How often the files are checked, milliseconds. Polling detects swapped links and editors that replace a file. */
const everyMs = 250;

export interface FollowFilesOptions {
  readonly apply: () => Promise<void>;
  /** Receives errors of `apply`. The next edit is still applied. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Calls `apply` after each edit of one of the files, one call at a time. Returns a function that stops it after the
 * last call.
 */
export function followFiles(paths: readonly string[], { apply, onFailure }: FollowFilesOptions): () => Promise<void> {
  let state = stateOf(paths);
  let applying: Promise<void> | undefined;
  const look = (): void => {
    const next = stateOf(paths);
    if (applying !== undefined || next === state) return;
    state = next;
    applying = apply()
      .catch(onFailure)
      .finally(() => {
        applying = undefined;
      });
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await applying;
  };
}

/** Changes whenever a file is written, replaced or removed. */
function stateOf(paths: readonly string[]): string {
  const states = paths.map((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "-" : `${stat.ino}.${stat.mtimeMs}.${stat.size}`;
  });
  return states.join(" ");
}

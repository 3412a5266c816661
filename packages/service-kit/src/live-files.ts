import { readFileSync, statSync } from "node:fs";

export interface LiveFilesOptions<Value> {
  /** Read together, as a certificate and its key have to be. */
  readonly paths: readonly string[];
  /** Makes the value of the files' texts, in the order of `paths`. Throws when they are no good. */
  readonly parse: (texts: readonly string[]) => Value;
  /** How often the files are looked at, at most (default 1,000 ms). */
  readonly checkEveryMs?: number;
  /** Told once of each state of the files that cannot be used; the value before it goes on. */
  readonly onFailure?: (error: unknown) => void;
  /** Monotonic milliseconds; the process's own when absent. */
  readonly now?: () => number;
}

export interface LiveFiles<Value> {
  /** What the files say. The same object as long as they are not changed. */
  readonly current: () => Value;
  /** Reads the files at once, whenever they were last looked at. */
  readonly reread: () => Value;
}

/**
 * Files that are replaced while the process runs: rotated tokens, keys, certificates. Looked at when they are used, so there is
 * no timer to stop; a link that is swapped, as Kubernetes does it, is seen too. Throws when they cannot be used at the start.
 */
export function openLiveFiles<Value>(options: LiveFilesOptions<Value>): LiveFiles<Value> {
  const { paths, parse, checkEveryMs = 1_000, onFailure, now = () => performance.now() } = options;
  const read = (): string[] => paths.map((path) => readFileSync(path, "utf8").replace(/\r?\n$/, ""));
  let state = stateOf(paths);
  let texts = read();
  let value = parse(texts);
  let lookedAt = now();

  const reread = (): Value => {
    lookedAt = now();
    // Taken first: what is written while the files are read is seen at the next look.
    state = stateOf(paths);
    try {
      const next = read();
      if (next.every((text, index) => text === texts[index])) return value;
      value = parse(next);
      texts = next;
    } catch (error) {
      onFailure?.(error);
    }
    return value;
  };
  const current = (): Value => {
    if (now() - lookedAt < checkEveryMs) return value;
    lookedAt = now();
    return stateOf(paths) === state ? value : reread();
  };
  return { current, reread };
}

/** Changes whenever one of the files is written or replaced; says so too when one is not there. */
function stateOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? "-" : `${stat.ino}.${stat.mtimeMs}.${stat.size}`;
    })
    .join(" ");
}

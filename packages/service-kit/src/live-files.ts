import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

export interface LiveFilesOptions<Value> {
  /** The files, by the variable that names each. Read together, as a certificate and its key have to be. */
  readonly paths: Readonly<Record<string, string>>;
  /** Makes the value of the files' texts, in the order of `paths`. Throws when they are no good. */
  readonly parse: (texts: readonly string[]) => Value;
  /** What the files said when the configuration was read. Without it they are read at once. */
  readonly first?: Value;
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
 * no timer to stop; a link that is swapped, as Kubernetes does it, is seen too. What is no file but a pipe, which can be read
 * once, is left alone. Throws a `ConfigError` when they cannot be used at the start.
 */
export function openLiveFiles<Value>(options: LiveFilesOptions<Value>): LiveFiles<Value> {
  const { parse, checkEveryMs = 1_000, onFailure, now = () => performance.now() } = options;
  const paths = Object.values(options.paths);
  const read = (): string[] => paths.map(textOf);
  let state = stateOf(paths);
  let texts: string[] | undefined = options.first === undefined ? readAtStart(options.paths) : undefined;
  let value = options.first ?? parseAtStart(options, texts ?? []);
  let lookedAt = now();

  const reread = (): Value => {
    lookedAt = now();
    // Taken first: what is written while the files are read is seen at the next look.
    state = stateOf(paths);
    if (state === "") return value;
    try {
      const next = read();
      if (texts !== undefined && next.every((text, index) => text === texts?.[index])) return value;
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

const textOf = (path: string): string => readFileSync(path, "utf8").replace(/\r?\n$/, "");

/** Changes whenever one of the files is written or replaced; says so too when one is not there. Empty when one is no file. */
function stateOf(paths: readonly string[]): string {
  const states = paths.map((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return "-";
    return stat.isFile() ? `${stat.ino}.${stat.mtimeMs}.${stat.size}` : "";
  });
  return states.includes("") ? "" : states.join(" ");
}

function readAtStart(paths: Readonly<Record<string, string>>): string[] {
  return Object.entries(paths).map(([name, path]) => {
    try {
      return textOf(path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
      throw new ConfigError([{ name, wrong: `names a file that cannot be read (${code})` }]);
    }
  });
}

function parseAtStart<Value>({ paths, parse }: LiveFilesOptions<Value>, texts: readonly string[]): Value {
  try {
    return parse(texts);
  } catch (error) {
    const [name = "", ...others] = Object.keys(paths);
    const beside = others.length === 0 ? "" : `, with ${others.join(" and ")}`;
    throw new ConfigError([{ name, wrong: `names a file that cannot be used${beside}: ${(error as Error).message}` }]);
  }
}

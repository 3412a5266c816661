import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "./config-error.ts";
import { errorText } from "../values/text.ts";

interface LiveFilesOptions<Value> {
  /** The files by the variable that names each. Read together, because a certificate and its key must match. */
  readonly paths: Readonly<Record<string, string>>;
  /** Parses the files' texts, in the order of `paths`. Throws when they are invalid. */
  readonly parse: (texts: readonly string[]) => Value;
  /** The files' content when the configuration was read. Without it they are read at once. */
  readonly first?: Value;
  /** Called once for each invalid state of the files. The previous value stays in use. */
  readonly onFailure?: (error: unknown) => void;
  /** Monotonic milliseconds. Default: the process's clock. */
  readonly now?: () => number;
}

/** Minimum time between two checks of the files, milliseconds. */
const lookEveryMs = 1_000;

/**
 * Files that can be replaced while the process runs: tokens, keys, certificates. They are checked on use and need no timer.
 * Detects a swapped link, as Kubernetes does it. A pipe can be read only once and is not checked again. Throws a `ConfigError` when the
 * files are invalid at the start.
 */
export function openLiveFiles<Value>(options: LiveFilesOptions<Value>) {
  const { parse, onFailure, now = () => performance.now() } = options;
  const paths = Object.values(options.paths);
  const read = (): string[] => paths.map(textOf);
  let state = stateOfFiles(paths);
  let texts: string[] | undefined = options.first === undefined ? readAtStart(options.paths) : undefined;
  let value = options.first ?? parseAtStart(options, texts ?? []);
  let lookedAt = now();

  /** Reads the files now, whatever the time of the last check. */
  const reread = (): Value => {
    lookedAt = now();
    // Read the state first, so that a write during the read is noticed at the next check.
    state = stateOfFiles(paths);
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
  /** Returns the value of the files; the same object while they are unchanged. */
  const current = (): Value => {
    if (now() - lookedAt < lookEveryMs) return value;
    lookedAt = now();
    return stateOfFiles(paths) === state ? value : reread();
  };
  return { current, reread };
}

export type LiveFiles<Value> = ReturnType<typeof openLiveFiles<Value>>;

const textOf = (path: string): string => readFileSync(path, "utf8").replace(/\r?\n$/, "");

/**
 * Returns a text that changes when a file is written, replaced or removed, when who may read it changes, and when it can't be looked at any more. Empty when one
 * is not a regular file.
 */
export function stateOfFiles(paths: readonly string[]): string {
  const states = paths.map(stateOfFile);
  return states.includes("") ? "" : states.join(" ");
}

function stateOfFile(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return "-";
    return stat.isFile() ? `${stat.ino}.${stat.ctimeMs}.${stat.size}` : "";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
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
    const together = others.length === 0 ? "" : `, with ${others.join(" and ")}`;
    throw new ConfigError([{ name, wrong: `names a file that cannot be used${together}: ${errorText(error)}` }]);
  }
}

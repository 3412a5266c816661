import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** A parsed line of a zone's log. */
export type LogLine = Record<string, unknown>;

export interface ProcessOptions {
  /** Working directory. */
  cwd: string;
  /** Default: Node. */
  program?: string;
  /** Arguments of the program. For Node: its options, then the module. */
  args: readonly string[];
  /** Added to the environment of this process. Without DATA_DIR, data is in a folder that is removed with the test. */
  env: Record<string, string>;
  /** Called with every line of its log. */
  onLine?: (line: LogLine) => void;
}

export interface ZoneProcess {
  /** URL where it listens. */
  url: string;
  pid: number;
  /** Sends SIGTERM and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with its exit code, or with null if it was killed. */
  ended: Promise<number | null>;
}

/** Starts a zone as a process. Resolves when it logs that it listens. Ends with the test. */
export async function startProcess({ program, cwd, args, env, onLine }: ProcessOptions): Promise<ZoneProcess> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-process-"));
  const child = spawn(program ?? process.execPath, args, {
    cwd,
    env: { ...process.env, DATA_DIR: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    return ended;
  };
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  // Reading continues after this line: a full pipe would block the process.
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // The last line of a killed process may be cut.
    if (!line.endsWith("}")) return;
    const logged = JSON.parse(line) as LogLine & { url?: string };
    if (logged["event"] === "listening" && logged.url !== undefined) listening.resolve(logged.url);
    onLine?.(logged);
  });
  void ended.then((code) => listening.reject(new Error(`the process in ${cwd} ended with ${code} before it listened`)));
  return { url: await listening.promise, pid: Number(child.pid), stop, signal: (name) => void child.kill(name), ended };
}

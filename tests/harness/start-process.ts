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
  /** The folder that it runs in. */
  cwd: string;
  /** Node when absent. */
  program?: string;
  /** What the program is given: for Node its own options, then the module. */
  args: readonly string[];
  /** On top of this process's own environment. Without a DATA_DIR, what it keeps goes with the test. */
  env: Record<string, string>;
  /** Gets every line that it logs. */
  onLine?: (line: LogLine) => void;
}

export interface ZoneProcess {
  /** Where it listens. */
  url: string;
  /** Asks it to stop; gives its exit code. */
  stop(): Promise<number | null>;
  /** Sends it a signal. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with its exit code, or null when it was killed. */
  ended: Promise<number | null>;
}

/** A zone as its own process, from its start until it says where it listens. Ends with the test. */
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
  // Reading does not end with the line that is looked for: a pipe that nobody reads would hold the process up.
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // The last line of a process that was killed may be cut.
    if (!line.endsWith("}")) return;
    const logged = JSON.parse(line) as LogLine & { url?: string };
    if (logged["event"] === "listening" && logged.url !== undefined) listening.resolve(logged.url);
    onLine?.(logged);
  });
  void ended.then((code) => listening.reject(new Error(`the process in ${cwd} ended with ${code} before it listened`)));
  return { url: await listening.promise, stop, signal: (name) => void child.kill(name), ended };
}

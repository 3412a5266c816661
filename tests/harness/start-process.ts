import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { LogLine } from "./log-lines.ts";

export interface ProcessOptions {
  /** The folder that it runs in. */
  cwd: string;
  /** What Node is given: its own options, then the module. */
  args: readonly string[];
  /** On top of this process's own environment. */
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
export async function startProcess({ cwd, args, env, onLine }: ProcessOptions): Promise<ZoneProcess> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  // Reading does not end with the line that is looked for: a pipe that nobody reads would hold the process up.
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const logged = JSON.parse(line) as LogLine & { url?: string };
    if (logged["event"] === "listening" && logged.url !== undefined) listening.resolve(logged.url);
    onLine?.(logged);
  });
  void ended.then((code) => listening.reject(new Error(`the process in ${cwd} ended with ${code} before it listened`)));
  return { url: await listening.promise, stop, signal: (name) => void child.kill(name), ended };
}

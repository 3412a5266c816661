import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createLineFormatter } from "./format-line.ts";

export interface Turbo {
  /** Resolves with the exit code when all processes have ended. */
  ended: Promise<number>;
  readonly stopped: boolean;
  stop(): Promise<void>;
}

/** Runs `turbo watch dev` in its own process group, so that stopping it leaves nothing behind. */
export function startTurbo(options: {
  root: string;
  env: Record<string, string>;
  packages: readonly string[];
  quiet: boolean;
}): Turbo {
  const filters = options.packages.map((name) => `--filter=@crosszone/${name}`);
  const child = spawn("turbo", ["watch", "dev", "--env-mode=loose", "--ui=stream", ...filters], {
    cwd: options.root,
    env: { ...process.env, ...options.env, TURBO_TELEMETRY_DISABLED: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const format = createLineFormatter({ quiet: options.quiet, color: process.stdout.isTTY });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      const text = format(line);
      if (text !== undefined) process.stdout.write(`${text}\n`);
    });

  let stopped = false;
  const ended = once(child, "exit").then(([code]) => Number(code ?? 1));
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // The group has already ended.
    }
  };
  return {
    ended,
    get stopped() {
      return stopped;
    },
    stop: async () => {
      stopped = true;
      signalGroup("SIGINT");
      const hard = setTimeout(() => signalGroup("SIGKILL"), 8_000);
      await ended;
      clearTimeout(hard);
      signalGroup("SIGKILL");
    },
  };
}

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { waitUntil } from "../kit/wait-until.ts";

/** A program in its own process that logs lines of JSON, one of them `listening` with its URL. */
export interface LoggingProcess {
  readonly url: string;
  /** Asks it to stop; returns its exit code. */
  readonly stop: () => Promise<number | null>;
  /** The lines of its log with the level `error`. */
  readonly errors: () => string[];
}

type Env = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** This repository. */
export const ownRoot = resolve(import.meta.dirname, "../..");

/** Starts Node with these arguments, with its log in `log`. Resolves when it listens. */
export async function startLogging(
  args: readonly string[],
  { cwd, env, log }: { readonly cwd: string; readonly env: Env; readonly log: string },
): Promise<LoggingProcess> {
  const lines = (): string[] => readFileSync(log, "utf8").split("\n").filter(Boolean);
  const child = spawn(process.execPath, [...args], {
    cwd,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", openSync(log, "w"), "inherit"],
  });
  running.add(child);
  const exited = once(child, "exit").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const url = await waitUntil(`${cwd} listened`, () => {
    if (child.exitCode !== null) throw new Error(`${cwd} ended with ${child.exitCode}: ${lines().at(-1)}`);
    const listening = lines().find((line) => line.includes('"event":"listening"'));
    return listening && (JSON.parse(listening) as { url: string }).url;
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      return exited;
    },
    errors: () => lines().filter((line) => line.startsWith('{"level":"error"')),
  };
}

/**
 * Starts `apps/<name>` of the repository at `root`, by default this one, as in production, with its log and its data in `folder`. Resolves
 * when it is ready.
 */
export async function startZone(
  name: "verification" | "execution",
  env: Env,
  { folder, root = ownRoot }: { readonly folder: string; readonly root?: string },
): Promise<LoggingProcess> {
  const data = join(folder, `${name}-data`);
  mkdirSync(data);
  const zone = await startLogging(["--conditions=@crosszone/source", "src/main.ts"], {
    cwd: resolve(root, "apps", name),
    env: { DATA_DIR: data, ...env },
    log: join(folder, `${name}.log`),
  });
  await waitUntil(`${name} was ready`, async () => (await fetch(`${zone.url}/readyz`)).ok || undefined);
  return zone;
}

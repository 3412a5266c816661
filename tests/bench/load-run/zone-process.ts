import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** A zone in its own process. */
export interface ZoneProcess {
  url: string;
  /** Asks it to stop; gives its exit code. */
  stop(): Promise<number | null>;
  /** The lines of its log that say `error`. */
  errors(): string[];
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** This repository. */
export const ownRoot = resolve(import.meta.dirname, "../../..");

/**
 * Starts `apps/<name>` of the repository at `root`, by default this one, as in production, on a free port of loopback, with its log in a file of `folder`.
 * Resolves when it is ready.
 */
export async function startZone(
  name: "verification" | "execution",
  env: Readonly<Record<string, string>>,
  { folder, root = ownRoot }: { readonly folder: string; readonly root?: string },
): Promise<ZoneProcess> {
  const log = resolve(folder, `${name}.log`);
  const lines = (): string[] => readFileSync(log, "utf8").split("\n").filter(Boolean);
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", "src/main.ts"], {
    cwd: resolve(root, "apps", name),
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", openSync(log, "w"), "inherit"],
  });
  running.add(child);
  const exited = once(child, "exit").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });

  const url = await until(`${name} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${lines().at(-1)}`);
    const listening = lines().find((line) => line.includes('"event":"listening"'));
    return listening && (JSON.parse(listening) as { url: string }).url;
  });
  await until(`${name} is ready`, async () => (await fetch(`${url}/readyz`)).ok || undefined);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      return exited;
    },
    errors: () => lines().filter((line) => line.startsWith('{"level":"error"')),
  };
}

/** Asks again and again until there is something. Throws when that takes longer than half a minute. */
export async function until<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const found = await ask();
    if (found !== undefined) return found;
    await wait(50);
  }
  throw new Error(`gave up: not so that ${what}`);
}

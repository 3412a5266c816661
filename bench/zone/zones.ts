import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { takeConstants } from "@crosszone/testkit/tune";
import { waitUntil } from "../kit/worker.ts";

type Env = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** This repository. */
export const ownRoot = resolve(import.meta.dirname, "../..");

/** Starts Node with these arguments, with its log in `log`: lines of JSON, one of them `listening` with its URL. Resolves when it listens. */
async function startLogging(
  args: readonly string[],
  { cwd, env, log }: { readonly cwd: string; readonly env: Env; readonly log: string },
) {
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
    pid: child.pid ?? 0,
    /** Asks it to stop; returns its exit code. */
    stop: async () => {
      child.kill("SIGTERM");
      return exited;
    },
    /** The lines of its log with the level `error`. */
    errors: () => lines().filter((line) => line.startsWith('{"level":"error"')),
  };
}

/** Starts `apps/<name>` as in production, with its log and its data in `folder`. Resolves when it is ready. */
export async function startZone(name: "verification" | "execution", env: Env, folder: string) {
  const data = join(folder, `${name}-data`);
  mkdirSync(data);
  const zone = await startLogging(["--conditions=@crosszone/source", takeConstants, "src/main.ts"], {
    cwd: resolve(ownRoot, "apps", name),
    env: { DATA_DIR: data, ...env },
    log: join(folder, `${name}.log`),
  });
  await waitUntil(`${name} was ready`, async () => (await fetch(`${zone.url}/readyz`)).ok || undefined);
  return zone;
}

interface ZonesPlan {
  /** The variables that connect verification to Slack. */
  readonly slackEnv: Env;
  /** Further variables of each zone. */
  readonly execution?: Env;
  readonly verification?: Env;
  /** Logs and data are here. */
  readonly folder: string;
}

/** Variables of verification whose limits allow many concurrent questions. */
export const manyMessages: Env = { MESSAGES_PER_MINUTE: "100000" };

/** Starts both zones as in production, each as a process on a free port of loopback. */
export async function startBothZones(plan: ZonesPlan) {
  const token = randomBytes(32).toString("hex");
  const link = { EXECUTION_TOKEN: token };
  const execution = await startZone("execution", { EXECUTION_PORT: "0", ...link, ...plan.execution }, plan.folder);
  const own = { VERIFICATION_PORT: "0", ...plan.slackEnv, EXECUTION_URL: `${execution.url}/rpc` };
  const verification = await startZone("verification", { ...own, ...link, ...plan.verification }, plan.folder);
  return {
    verification,
    execution,
    /** The bearer token of execution. */
    token,
    /** The lines of both logs with the level `error`. */
    errors: () => [...verification.errors(), ...execution.errors()],
    /** Returns the exit codes of verification and execution. */
    stop: () => Promise.all([verification.stop(), execution.stop()]),
  };
}

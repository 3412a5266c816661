import { setTimeout as delay } from "node:timers/promises";
import type { LaunchPlan } from "./launch-plan.ts";
import { runChild, type Child } from "./run-child.ts";

/** The author's agent: up at a URL, or down with the reason. */
export type AgentState = { readonly url: string } | { readonly problem: string };

export interface StartOptions {
  readonly plan: LaunchPlan;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
}

/** How long an agent has to answer after its start, milliseconds. */
const upMs = 30_000;

export interface StartedAgent {
  readonly child: Child;
  readonly state: Promise<AgentState>;
}

/** Starts the agent's process. `state` resolves when it answers, when it has ended, and at the latest after 30 seconds. */
export function startAgent({ plan, port, env, onLine }: StartOptions): StartedAgent {
  // An agent may ignore PORT and say where it listens instead.
  let ownPort: number | undefined;
  const child = runChild({
    ...plan,
    cwd: plan.folder,
    env: { ...env, PORT: String(port) },
    onLine: (line) => {
      ownPort ??= portIn(line);
      onLine(line);
    },
  });
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), upMs);
  const ports = (): readonly number[] => (ownPort === undefined || ownPort === port ? [port] : [port, ownPort]);
  const urls = (): readonly string[] => ports().flatMap((at) => [`http://127.0.0.1:${at}`, `http://[::1]:${at}`]);
  const up = waitUntilUp(urls, waiting.signal).then((url): AgentState =>
    url === undefined
      ? {
          problem: `The agent does not answer on port ${port} after ${upMs / 1_000} s. Make it listen on the port in PORT, or name its own with --port.`,
        }
      : { url },
  );
  const over = child.ended.then((what): AgentState => ({ problem: crashText(what, child.lastLines()) }));
  const state = Promise.race([over, up]).finally(() => {
    clearTimeout(timer);
    waiting.abort();
  });
  return { child, state };
}

/** Returns one sentence: what happened, and the line of its output that says why. */
export function crashText(what: string, lines: readonly string[]): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== "" && !/^Node\.js v\d/.test(line));
  const why =
    said.findLast((line) => /^(\w+\.)*\w*(Error|Exception)\b|^panic:|^fatal error:/.test(line)) ?? said.at(-1);
  return why === undefined ? `The agent ${what}.` : `The agent ${what}: ${why.replace(/[.!]?$/, ".")}`;
}

/** Runs the plan's build. Returns what is wrong when it fails. */
export async function buildAgent({ plan, env, onLine }: StartOptions): Promise<string | undefined> {
  if (plan.build === undefined) return undefined;
  const { ended, lastLines } = runChild({ ...plan.build, isShell: false, cwd: plan.folder, env, onLine });
  const what = await ended;
  if (what === "exited with code 0") return undefined;
  return `The agent can't be built: ${lastLines().at(-1) ?? `${what.replace("can't be started: ", "")}.`}`;
}

/** Delay between two attempts, milliseconds. */
const pauseMs = 20;

/** Returns the first of these addresses that answers HTTP; undefined when `signal` is aborted first. */
async function waitUntilUp(urls: () => readonly string[], signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    for (const url of urls()) if (await answers(url, signal)) return url;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/.well-known/agent-card.json`, { signal, redirect: "manual" });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

const address = /https?:\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\]):(\d+)/;

/** Returns the port that a line of an agent's output says it listens on, as in `Listening on http://127.0.0.1:8090`. */
export function portIn(line: string): number | undefined {
  const found = address.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}

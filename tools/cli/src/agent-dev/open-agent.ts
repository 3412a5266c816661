import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zoneVariables } from "../generated/zone-variables.ts";
import { checkUrl } from "../program/options.ts";
import {
  type AgentState,
  type AgentTarget,
  buildAgent,
  type Child,
  crashText,
  launchPlan,
  type LaunchPlan,
  startAgent,
  type StartOptions,
} from "./start-agent.ts";

/** Keeps one process of the author's agent, always the one of the latest restart. `onCrash`: called when it ends by itself after it was up. */
function supervise(options: StartOptions & { readonly onCrash: (problem: string) => void }) {
  let child: Child | undefined;
  let current: Promise<AgentState> = Promise.resolve({ problem: "The agent has not been started." });
  let latest = 0;

  async function replace(number: number, before: AgentState): Promise<AgentState> {
    const broken = await buildAgent(options);
    if (broken !== undefined) return "url" in before ? before : { problem: broken };
    const old = child;
    child = undefined;
    await old?.stop();
    if (number !== latest) return before;
    const started = startAgent(options);
    child = started.child;
    const state = await started.state;
    if ("url" in state) void reportCrash(started.child);
    return state;
  }

  async function reportCrash(running: Child): Promise<void> {
    const what = await running.ended;
    // A later restart has replaced it.
    if (running !== child) return;
    const problem = crashText(what, running.lastLines());
    current = Promise.resolve({ problem });
    options.onCrash(problem);
  }

  return {
    restart: (): Promise<AgentState> => {
      latest += 1;
      const number = latest;
      current = current.then((before) => replace(number, before));
      return current;
    },
    state: async (): Promise<AgentState> => {
      for (let awaited; awaited !== current;) {
        awaited = current;
        await awaited;
      }
      return current;
    },
    stop: async (): Promise<void> => {
      latest += 1;
      const last = child;
      child = undefined;
      await last?.stop();
    },
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/** An agent of the command line: a process of its own, or a server elsewhere. */
export interface OpenedAgent {
  /** Resolves with the state once no restart is under way. */
  readonly state: () => Promise<AgentState>;
  readonly stop: () => Promise<void>;
  /** Undefined for a URL. */
  readonly plan?: LaunchPlan;
  /** Builds, ends the old process and starts a new one. Resolves when the new one answers or has ended. Never rejects. */
  readonly restart: () => Promise<AgentState>;
}

/** Prepares an agent; `restart` starts the process of a file. Throws a `UsageError` for a target that can't be run. */
export async function openAgent(
  asked: AgentTarget,
  said: {
    readonly env: Env;
    readonly onLine: (line: string) => void;
    readonly onCrash: (problem: string) => void;
  },
): Promise<OpenedAgent> {
  const { target, port } = asked;
  const { env } = said;
  if (/^https?:\/\//.test(target)) {
    checkUrl("The URL of the agent", target);
    const state = { url: target };
    const same = (): Promise<AgentState> => Promise.resolve(state);
    return { state: same, restart: same, stop: () => Promise.resolve() };
  }
  const temporary = mkdtempSync(join(tmpdir(), "crosszone-agent-"));
  const forget = (): void => rmSync(temporary, { recursive: true, force: true });
  try {
    const plan = launchPlan(asked, env, temporary);
    const supervisor = supervise({ ...said, plan, port: port ?? (await freePort()), env: childEnvironment(env) });
    return { ...supervisor, plan, stop: () => supervisor.stop().finally(forget) };
  } catch (error) {
    forget();
    throw error;
  }
}

const ofZones = new Set(zoneVariables);
/** Variables whose names are not all known. */
const families = /^(AGENT_SECRET|CROSSZONE|DEV_AGENTS|DEV_SLACK|EXECUTION|SLACK|VERIFICATION)_/;

const isOfZones = (name: string): boolean => ofZones.has(name) || ofZones.has(name.replace(/_FILE$/, ""));

/** Returns a line that names the variables that an agent could miss; none if nothing is missing. */
export function withheldLines(env: Env): readonly string[] {
  const names = Object.keys(env).filter((name) => env[name] && isOfZones(name) && !families.test(name));
  return names.length === 0 ? [] : [`Settings of the zones, which the agent does not get: ${names.join(", ")}`];
}

/** Returns an agent's environment: the author's without the settings of the zones, their agents and Slack. */
export function childEnvironment(env: Env): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !isOfZones(name) && !families.test(name));
  return { ...Object.fromEntries(kept), PYTHONUNBUFFERED: "1" };
}

/** Returns a free port of 127.0.0.1, below those that systems give to connections: none takes it before the agent listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  return (await isFree(port)) ? port : freePort();
}

/** Whether a port of 127.0.0.1 is free. */
export function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer()
    .once("error", () => resolve(false))
    .listen({ port, host: "127.0.0.1", exclusive: true }, () => probe.close(() => resolve(true)));
  return promise;
}

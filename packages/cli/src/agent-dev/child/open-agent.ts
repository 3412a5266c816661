import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zoneVariables } from "../../generated/zone-variables.ts";
import { UsageError } from "../../program/errors.ts";
import { launchPlan, type LaunchPlan } from "./launch-plan.ts";
import { supervise, type Supervisor } from "./supervise.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the command line says about the agent. */
export interface AgentRequest {
  /** A file, a folder, or a URL. */
  readonly target: string;
  readonly command?: string;
  /** The agent's own port, when it does not read PORT. */
  readonly port?: number;
}

interface AgentOptions {
  readonly env: Env;
  readonly onLine: (line: string) => void;
  readonly onCrash: (problem: string) => void;
}

/** An agent of the command line: a process of its own, or a server elsewhere. */
export interface OpenedAgent extends Omit<Supervisor, "restart"> {
  /** Undefined for a URL. */
  readonly plan?: LaunchPlan;
  readonly restart?: Supervisor["restart"];
  /** Path of the agent's URL: `/` for a file. */
  readonly path: string;
}

export const isUrl = (target: string): boolean => /^https?:\/\//.test(target);

/** Prepares an agent; `restart` starts the process of a file. Throws a `UsageError` for a target that can't be run. */
export async function openAgent(
  { target, command, port }: AgentRequest,
  { env, onLine, onCrash }: AgentOptions,
): Promise<OpenedAgent> {
  if (isUrl(target)) {
    const url = URL.parse(target);
    if (url === null) throw new UsageError(`Expected the URL of an agent, got "${target}".`);
    const state = { url: url.origin };
    return { state: () => Promise.resolve(state), stop: () => Promise.resolve(), path: url.pathname + url.search };
  }
  const temporary = mkdtempSync(join(tmpdir(), "crosszone-agent-"));
  const forget = (): void => rmSync(temporary, { recursive: true, force: true });
  try {
    const plan = launchPlan({ target, command, env, temporary });
    const options = { plan, port: port ?? (await freePort()), env: childEnvironment(env), onLine, onCrash };
    const supervisor = supervise(options);
    return { ...supervisor, plan, path: "/", stop: () => supervisor.stop().finally(forget) };
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

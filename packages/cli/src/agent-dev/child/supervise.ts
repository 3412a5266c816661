import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { runChild, type Child } from "./run-child.ts";
import type { LaunchPlan } from "./launch-plan.ts";
import { portIn, waitUntilUp } from "./wait-until-up.ts";

/** The author's agent: up at a URL, or down with the reason. */
export type AgentState = { readonly url: string } | { readonly problem: string };

export interface SupervisorOptions {
  readonly plan: LaunchPlan;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
  /** Called when the agent ends by itself after it was up. */
  readonly onCrash: (problem: string) => void;
}

export interface Supervisor {
  /** Builds, ends the old process and starts a new one. Resolves when the new one answers or has ended. Never rejects. */
  readonly restart: () => Promise<AgentState>;
  /** Resolves with the state once no restart is under way. */
  readonly state: () => Promise<AgentState>;
  readonly stop: () => Promise<void>;
}

/** How long an agent has to answer after its start, milliseconds. */
const upMs = 30_000;

/** Keeps one process of the author's agent, always the one of the latest restart. */
export function supervise(options: SupervisorOptions): Supervisor {
  let child: Child | undefined;
  let current: Promise<AgentState> = Promise.resolve({ problem: "The agent has not been started." });
  let latest = 0;

  async function replace(turn: number, before: AgentState): Promise<AgentState> {
    const broken = await build(options);
    if (broken !== undefined) return "url" in before ? before : { problem: broken };
    const old = child;
    child = undefined;
    await old?.stop();
    if (turn !== latest) return before;
    const started = start(options);
    child = started.child;
    const state = await started.state;
    const toldEnd = async (): Promise<void> => {
      const what = await started.child.ended;
      if (started.child !== child || "problem" in state) return;
      const problem = crashOf(what, started.child.lastLines());
      current = Promise.resolve({ problem });
      options.onCrash(problem);
    };
    void toldEnd();
    return state;
  }

  return {
    restart: () => {
      latest += 1;
      const turn = latest;
      current = current.then((before) => replace(turn, before));
      return current;
    },
    state: async () => {
      for (let seen; seen !== current;) {
        seen = current;
        await seen;
      }
      return current;
    },
    stop: async () => {
      latest += 1;
      const last = child;
      child = undefined;
      await last?.stop();
    },
  };
}

interface Started {
  readonly child: Child;
  readonly state: Promise<AgentState>;
}

function start({ plan, port, env, onLine }: SupervisorOptions): Started {
  // An agent may ignore PORT and say where it listens instead.
  let told: number | undefined;
  const { command, args, isShell, folder: cwd } = plan;
  const child = runChild({
    command,
    args,
    isShell,
    cwd,
    env: {
      ...env,
      PORT: String(port),
    },
    onLine: (line) => {
      told ??= portIn(line);
      onLine(line);
    },
  });
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), upMs);
  const ports = (): readonly number[] => (told === undefined || told === port ? [port] : [port, told]);
  const urls = (): readonly string[] => ports().flatMap((at) => [`http://127.0.0.1:${at}`, `http://[::1]:${at}`]);
  const up = waitUntilUp(urls, waiting.signal).then((url): AgentState =>
    url === undefined
      ? {
          problem: `The agent does not answer on port ${port} after ${upMs / 1_000} s. Make it listen on the port in PORT, or name its own with --port.`,
        }
      : { url },
  );
  const over = child.ended.then((what): AgentState => ({ problem: crashOf(what, child.lastLines()) }));
  const state = Promise.race([over, up]).finally(() => {
    clearTimeout(timer);
    waiting.abort();
  });
  return { child, state };
}

/** One sentence: what happened, and the line of its output that says why. */
function crashOf(what: string, lines: readonly string[]): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== "" && !/^Node\.js v\d/.test(line));
  const why =
    said.findLast((line) => /^(\w+\.)*\w*(Error|Exception)\b|^panic:|^fatal error:/.test(line)) ?? said.at(-1);
  return why === undefined ? `The agent ${what}.` : `The agent ${what}: ${why.replace(/[.!]?$/, ".")}`;
}

/** Runs the plan's build. Returns what is wrong when it fails. */
async function build({ plan, env, onLine }: SupervisorOptions): Promise<string | undefined> {
  if (plan.build === undefined) return undefined;
  const { command, args } = plan.build;
  const builder = spawn(command, args, { cwd: plan.folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  for (const stream of [builder.stdout, builder.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      onLine(line);
    });
  const code = await once(builder, "close").then(
    ([exit]) => exit as number,
    () => -1,
  );
  if (code === 0) return undefined;
  return code === -1
    ? `The agent can't be built: ${command} is not installed.`
    : `The agent can't be built: ${said.at(-1) ?? `${command} failed`}`;
}

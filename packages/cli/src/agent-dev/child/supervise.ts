import type { Child } from "./run-child.ts";
import { buildAgent, crashText, startAgent, type AgentState, type StartOptions } from "./start-agent.ts";

export interface SupervisorOptions extends StartOptions {
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

/** Keeps one process of the author's agent, always the one of the latest restart. */
export function supervise(options: SupervisorOptions): Supervisor {
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
    restart: () => {
      latest += 1;
      const number = latest;
      current = current.then((before) => replace(number, before));
      return current;
    },
    state: async () => {
      for (let awaited; awaited !== current;) {
        awaited = current;
        await awaited;
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

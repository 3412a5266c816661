import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { join, relative } from "node:path";
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

/** Debounce, milliseconds: editors write a file in several steps. */
const pauseMs = 80;
/** An agent in a home folder must not watch all of it. */
const mostFolders = 1_000;

/** Folders that don't hold the agent's own sources. */
const otherFolders = /^(node_modules|__pycache__|venv|dist|build|coverage|\..*)$/;

/** Sources, prompts and settings. Data is not among them: an agent that writes a file must not restart itself. */
const sources =
  /^[^.].*\.([cm]?[jt]sx?|py|go|mod|rb|php|java|kt|rs|cs|exs?|md|prompt|j2|jinja|ya?ml|toml|html)$|^(Dockerfile|Makefile)$/;

/**
 * Calls `onEdit` with a file's path shortly after the last edit of a source in a folder and those below. Returns a function that stops watching. Watches each folder by
 * itself: a recursive watcher misses files that an editor replaces.
 */
export function watchAgent(root: string, onEdit: (path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let pause: NodeJS.Timeout | undefined;

  function add(folder: string): void {
    if (watchers.has(folder) || watchers.size >= mostFolders) return;
    const watcher = watch(folder, (_, name) => name !== null && changed(join(folder, name), name));
    // For example, the folder was deleted.
    watcher.on("error", () => forget(folder));
    watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !otherFolders.test(entry.name)) add(join(folder, entry.name));
  }

  function forget(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function changed(path: string, name: string): void {
    if (otherFolders.test(name)) return;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return add(path);
    if (found === undefined) forget(path);
    if (!sources.test(name)) return;
    clearTimeout(pause);
    pause = setTimeout(() => onEdit(relative(root, path)), pauseMs);
  }

  add(root);
  return () => {
    clearTimeout(pause);
    for (const folder of watchers.keys()) forget(folder);
  };
}

import { once } from "node:events";
import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join, relative } from "node:path";
import { type ExitCode, exitCodes, type Session } from "../program/session.ts";
import { harmless, harmlessLine } from "../text/terminal-text.ts";
import { findZone } from "./dev-zone.ts";
import { openAgent, type OpenedAgent, withheldLines } from "./open-agent.ts";
import { Presence, type PresenceRequest } from "./presence.ts";
import type { AgentState, AgentTarget } from "./start-agent.ts";

/**
 * Runs an author's agent at a zone until Ctrl-C, and restarts it after each edit in its folder. Throws a `UsageError` when the agent can't be
 * run, and when there is no zone.
 */
export async function runDev(request: AgentTarget & PresenceRequest, session: Session): Promise<ExitCode> {
  const { env, stdout } = session;
  const write = (line: string): void => void stdout.write(`${line}\n`);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = once(signal, "abort");
  const closing: (() => unknown)[] = [session.onStop(() => stopping.abort())];
  try {
    const agent = await openAgent(request, {
      env,
      onLine: (line) => write(`agent  ${harmlessLine(line)}`),
      onCrash: (problem) => write(`${harmless(problem)} Edit it to start it again.`),
    });
    closing.push(agent.stop);
    const { plan: { folder, name } = { folder: undefined, name: "agent" } } = agent;
    const zone = findZone(session, write, { folder: folder ?? ".", signal });
    const presence = new Presence({ ...request, fallback: name }, zone, write);
    closing.push(presence.close);
    const restart = restarter(agent, { presence, write, signal });
    if (folder !== undefined) {
      withheldLines(env).forEach(write);
      closing.push(watchAgent(folder, (path) => void restart(path)));
    }
    await Promise.race([Promise.all([zone, restart()]), stopped]);
    await stopped;
    return exitCodes.done;
  } catch (error) {
    if (signal.aborted) return exitCodes.done;
    throw error;
  } finally {
    if (signal.aborted) write("Stopping.");
    // The agent must not start any more.
    stopping.abort();
    for (const step of closing.toReversed()) await step();
  }
}

/** Returns a function that starts the latest version of the agent and says what came of it. `path`: the edited file; absent at the first start. */
function restarter(
  agent: OpenedAgent,
  { presence, write, signal }: { presence: Presence; write: (line: string) => void; signal: AbortSignal },
) {
  let told: AgentState | undefined;
  return async (path?: string): Promise<void> => {
    const startedAt = performance.now();
    const before = await agent.state();
    if (signal.aborted) return;
    await agent.restart();
    const state = await agent.state();
    if (path !== undefined && state === before) return write("The last version keeps running.");
    // Two edits at once share the restart of the second.
    if (state === told || signal.aborted) return;
    told = state;
    if ("problem" in state) return write(harmless(state.problem));
    if (path !== undefined)
      write(harmlessLine(`Restarted after an edit of ${path} (${Math.round(performance.now() - startedAt)} ms)`));
    await presence.show(state.url);
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

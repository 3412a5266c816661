import { once } from "node:events";
import { type ExitCode, exitCodes, type Session } from "../program/session.ts";
import { harmless, harmlessLine } from "../text/terminal-text.ts";
import { findZone } from "./dev-zone.ts";
import { openAgent, type OpenedAgent, watchAgent, withheldLines } from "./open-agent.ts";
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

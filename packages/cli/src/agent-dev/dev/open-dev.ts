import type { Session } from "../../program/session.ts";
import { harmless, harmlessLine } from "../../text/terminal-text.ts";
import { type AgentRequest, openAgent, type OpenedAgent, withheldLines } from "../child/open-agent.ts";
import type { AgentState } from "../child/start-agent.ts";
import { watchAgent } from "../child/supervise.ts";
import { findAgent, type FoundAgent } from "../talk/find-agent.ts";
import { startProxy } from "../wire/start-proxy.ts";
import { createWireDisplay, type WireDisplay } from "../wire/wire-display.ts";
import { openPresence, type Presence, type PresenceRequest, showInSlack } from "./presence.ts";

/** The values of the command line. */
export interface DevRequest extends AgentRequest, PresenceRequest {
  /** Whether exchanges are shown as whole JSON from the start. */
  readonly wire: boolean;
}

/** The agent with everything around it. */
export interface Dev {
  readonly display: WireDisplay;
  /** How to call the agent through the proxy; the reason when it does not run. */
  readonly agent: () => Promise<FoundAgent | { readonly problem: string }>;
  readonly close: () => Promise<void>;
}

export interface DevOptions {
  readonly request: DevRequest;
  readonly session: Session;
  /** Writes a line for people. */
  readonly write: (line: string) => void;
}

/**
 * Starts the agent, the proxy and the registration, and resolves when the agent answers or is known not to.
 * Edits restart the agent until `close`. Throws a `UsageError` when the target can't be run.
 */
export async function openDev({ request, session, write }: DevOptions): Promise<Dev> {
  const { env } = session;
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const opened = await openAgent(request, {
      env,
      onLine: (line) => write(`agent  ${harmlessLine(line)}`),
      onCrash: (problem) => write(`${harmless(problem)} Edit it to start it again.`),
    });
    closing.push(opened.stop);
    if (opened.plan) withheldLines(env).forEach(write);
    const display = createWireDisplay(write, request.wire);
    let presence: Presence | undefined;
    const proxy = await startProxy({
      agent: opened.state,
      onWire: (what, exchange, event) => {
        display.onWire(what, exchange, event);
        const slackUrl = presence?.slackUrl();
        if (what === "end" && exchange.from === "terminal" && slackUrl !== undefined)
          showInSlack(slackUrl, presence?.name() ?? "agent", exchange);
      },
    });
    closing.push(proxy.close);
    const url = `${proxy.url}${opened.path}`;
    const agent = cardOnce(opened.state, () => findAgent(url, request.protocol));
    const first = opened.restart?.();
    presence = openPresence(request, { session, plan: opened.plan, agent, url, write });
    closing.push(presence.close);
    if (opened.plan !== undefined) closing.push(restartOnEdit(opened, presence, write));
    await first;
    await presence.refresh();
    write(`Proxy ${url}`);
    return { display, agent, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Restarts the agent after each edit in its folder. Returns a function that stops watching. */
function restartOnEdit(opened: OpenedAgent, presence: Presence, write: DevOptions["write"]): () => void {
  const restart = async (path: string): Promise<void> => {
    const started = performance.now();
    const before = await opened.state();
    const state = await opened.restart?.();
    if (state === before) write("The last version keeps running.");
    else if (state !== undefined && "url" in state)
      write(harmlessLine(`Restarted after an edit of ${path} (${Math.round(performance.now() - started)} ms)`));
    await presence.refresh();
  };
  return watchAgent(opened.plan?.folder ?? ".", (path) => void restart(path));
}

/** Fetches the card once for each start of the agent. */
function cardOnce(stateOf: () => Promise<AgentState>, find: () => Promise<FoundAgent>): Dev["agent"] {
  let known: { readonly state: AgentState; readonly agent: FoundAgent } | undefined;
  return async () => {
    const state = await stateOf();
    if ("problem" in state) return state;
    if (known?.state === state) return known.agent;
    const agent = await find().catch((error: unknown) => ({ problem: (error as Error).message }));
    if (!("problem" in agent)) known = { state, agent };
    return agent;
  };
}

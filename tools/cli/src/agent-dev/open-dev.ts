import { RefusedError } from "../api/send.ts";
import type { Session } from "../program/session.ts";
import { harmless, harmlessLine } from "../text/terminal-text.ts";
import { agentName, type DevZone, findZone, register } from "./dev-zone.ts";
import { openAgent, type OpenedAgent, watchAgent, withheldLines } from "./open-agent.ts";
import type { AgentState, AgentTarget, LaunchPlan } from "./start-agent.ts";
import { findAgent, type FoundAgent, startProxy } from "./start-proxy.ts";
import { createWireDisplay, type WireDisplay } from "./wire-display.ts";
import { protocolOf, type WireExchange } from "./wire-exchange.ts";

/** The agent at a zone, and so in the local Slack. */
type Presence = ReturnType<typeof openPresence>;

/** Looks for a zone or starts one, and registers the agent there as soon as both run. Does not wait for it. `plan`: absent for an agent elsewhere. */
function openPresence(
  { request, session, write }: DevOptions,
  { plan, agent, url }: { readonly plan: LaunchPlan | undefined; readonly agent: Dev["agent"]; readonly url: string },
) {
  const { slack, name: given, protocol } = request;
  const { name: fallback = "agent", folder = "." } = plan ?? {};
  const closing = new AbortController();
  let name = given ?? fallback;
  let zone: DevZone | undefined;
  /** The problem that was written last. */
  let told: object | undefined;
  let registered: { readonly card: string; readonly remove: () => Promise<void> } | undefined;

  async function present(): Promise<void> {
    const found = await agent();
    if ("problem" in found) {
      if (found !== told) write(harmless(found.problem));
      told = found;
      return;
    }
    name = given ?? agentName(found.name, fallback);
    const { description = "", card } = found;
    if (zone === undefined || registered?.card === card) return;
    await registered?.remove();
    registered = undefined;
    registered = { card, remove: await register(zone.agents, { name, url, description, protocol }) };
    write(harmlessLine(`In ${zone.slackUrl ?? "Slack"}: ask ${name}: …`));
  }

  const report = (error: unknown): void => {
    const problems = error instanceof RefusedError ? error.problems.map(({ message }) => message) : [];
    const advice = zone === undefined ? [] : ["Choose another name with --name."];
    write(harmless(["Not in Slack:", (error as Error).message, ...problems, ...advice].join(" ")));
  };
  let last = Promise.resolve();
  /** Registers the agent; again when its card changed, because the zone keeps cards for minutes. Reports problems, never rejects. */
  const refresh = async (): Promise<void> => {
    last = last.then(present).catch(report);
    await last;
  };
  const join = async (): Promise<void> => {
    zone = await findZone(session, write, { folder, signal: closing.signal });
    await refresh();
  };
  const joined = slack
    ? join().catch((error: unknown) => (closing.signal.aborted ? undefined : report(error)))
    : undefined;

  return {
    refresh,
    name: () => name,
    slackUrl: () => zone?.slackUrl,
    /** Removes the agent from the zone, and ends the zone if it was started for it. */
    close: async (): Promise<void> => {
      closing.abort();
      await joined;
      await last;
      await registered?.remove().catch(() => write(`${name} could not be removed from the zone.`));
      await zone?.stop();
    },
  };
}

/** Shows an exchange of the terminal in the Traffic tab of the local Slack. The zone shows its own ones there. */
function showInSlack(slackUrl: string, name: string, exchange: WireExchange): void {
  const { at, request, status, response, events, duration_ms = 0, problem } = exchange;
  const shown = {
    agent_name: name,
    correlation_id: "crosszone agents dev",
    at,
    operation: "send",
    duration_ms,
    request,
    protocol: protocolOf(exchange),
    status,
    response: response ?? events?.map(({ data }) => data),
    problem,
  };
  const headers = { "content-type": "application/json" };
  // Only for display: a failure to reach the local Slack changes nothing.
  fetch(`${slackUrl}/control/agent-exchanges`, { method: "POST", headers, body: JSON.stringify(shown) }).catch(
    () => undefined,
  );
}

/** The values of the command line. */
export interface DevRequest extends AgentTarget {
  /** Whether the agent is registered at a zone. */
  readonly slack: boolean;
  /** Overrides the card's name. */
  readonly name?: string;
  readonly protocol?: string;
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

interface DevOptions {
  readonly request: DevRequest;
  readonly session: Session;
  /** Writes a line for people. */
  readonly write: (line: string) => void;
}

/**
 * Starts the agent, the proxy and the registration, and resolves when the agent answers or is known not to.
 * Edits restart the agent until `close`. Throws a `UsageError` when the target can't be run.
 */
export async function openDev(options: DevOptions): Promise<Dev> {
  const { request, session, write } = options;
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
    const proxy = await startProxy(opened.state, (what, exchange, event) => {
      display.onWire(what, exchange, event);
      const slackUrl = presence?.slackUrl();
      if (what === "end" && exchange.from === "terminal" && slackUrl !== undefined)
        showInSlack(slackUrl, presence?.name() ?? "agent", exchange);
    });
    closing.push(proxy.close);
    const url = `${proxy.url}${opened.path}`;
    const agent = cardOnce(opened.state, () => findAgent(url, request.protocol));
    const first = opened.restart?.();
    presence = openPresence(options, { plan: opened.plan, agent, url });
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

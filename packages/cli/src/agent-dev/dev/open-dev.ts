import { harmless, harmlessLine } from "../../output/harmless.ts";
import type { Session } from "../../session.ts";
import { openAgent } from "../cases/open-agent.ts";
import type { AgentState } from "../child/supervise.ts";
import { watchAgent } from "../child/watch-agent.ts";
import { modelBases, modelEnvironment } from "../model/model-bases.ts";
import { secretsIn } from "../model/model-exchange.ts";
import { recordModels, type ModelRecorder } from "../model/record-models.ts";
import { findAgent, type FoundAgent } from "../talk/find-agent.ts";
import { startProxy, type Proxy } from "../wire/start-proxy.ts";
import { createOwnPages, pagePath } from "./own-pages.ts";
import { openPresence, type Presence } from "./presence.ts";
import { showInSlack } from "./show-in-slack.ts";
import { createWireDisplay, type WireDisplay } from "./wire-display.ts";

/** The values of the command line. */
export interface DevRequest {
  readonly target: string;
  readonly command?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: string | undefined;
  readonly name?: string | undefined;
  /** Whether the agent is registered at a zone. */
  readonly slack: boolean;
  /** Whether exchanges are shown as whole JSON from the start. */
  readonly wire: boolean;
}

/** The agent with everything around it. */
export interface Dev {
  readonly proxy: Proxy;
  readonly models: ModelRecorder;
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
 * Starts the agent, the proxy, the recording of its model and the registration, and resolves when the agent answers or is known not to.
 * Edits restart the agent until `close`. Throws a `UsageError` when the target can't be run.
 */
export async function openDev({ request, session, write }: DevOptions): Promise<Dev> {
  const { env } = session;
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const models = await recordModels({
      bases: modelBases(env),
      secrets: secretsIn(env),
      onExchange: ({ provider, path, status }, ms) =>
        write(harmlessLine(`model  ${provider} ${path} ${status} (${ms} ms)`)),
    });
    closing.push(models.close);
    const opened = await openAgent({
      target: request.target,
      command: request.command,
      port: request.port,
      env,
      modelEnv: modelEnvironment(models.url),
      onLine: (line) => write(`agent  ${harmlessLine(line)}`),
      onCrash: (problem) => write(`${harmless(problem)} Edit it to start it again.`),
    });
    closing.push(opened.stop);
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
      ownPages: createOwnPages({ name: () => presence?.name() ?? "agent", exchanges: () => proxy.exchanges }),
    });
    closing.push(proxy.close);
    const url = `${proxy.url}${opened.path}`;
    const agent = cardOnce(opened.state, () => findAgent(url, request.protocol));
    const first = opened.restart?.();
    const { plan } = opened;
    const { slack, name, protocol } = request;
    presence = openPresence({
      session,
      slack,
      name,
      protocol,
      agent,
      url,
      write,
      fallback: plan?.name ?? "agent",
      folder: plan?.folder ?? ".",
    });
    closing.push(presence.close);
    const restart = async (path: string): Promise<void> => {
      const started = performance.now();
      const before = await opened.state();
      const state = await opened.restart?.();
      if (state === before) write("The last version keeps running.");
      else if (state !== undefined && "url" in state)
        write(harmlessLine(`Restarted after an edit of ${path} (${Math.round(performance.now() - started)} ms)`));
      await presence?.refresh();
    };
    if (plan !== undefined) closing.push(watchAgent(plan.folder, (path) => void restart(path)));
    await first;
    await presence.refresh();
    write(`Proxy ${url}   Page ${proxy.url}${pagePath}`);
    return { proxy, models, display, agent, close };
  } catch (error) {
    await close();
    throw error;
  }
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

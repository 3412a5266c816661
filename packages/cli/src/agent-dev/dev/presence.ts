import { RefusedError } from "../../api/failures.ts";
import type { Session } from "../../program/session.ts";
import { harmless, harmlessLine } from "../../text/terminal-text.ts";
import type { LaunchPlan } from "../child/launch-plan.ts";
import type { FoundAgent } from "../talk/find-agent.ts";
import { protocolOf, type WireExchange } from "../wire/wire-exchange.ts";
import { agentName, type DevZone, findZone, register } from "./dev-zone.ts";

/** The agent at a zone, and so in the local Slack. */
export interface Presence {
  /** Registers the agent; again when its card changed, because the zone keeps cards for minutes. Reports problems, never rejects. */
  readonly refresh: () => Promise<void>;
  readonly name: () => string;
  readonly slackUrl: () => string | undefined;
  /** Removes the agent from the zone, and ends the zone if it was started for it. */
  readonly close: () => Promise<void>;
}

/** What the command line says about the registration. */
export interface PresenceRequest {
  /** Whether the agent is registered at a zone. */
  readonly slack: boolean;
  /** Overrides the card's name. */
  readonly name?: string;
  readonly protocol?: string;
}

interface PresenceOptions {
  readonly session: Session;
  /** Undefined for an agent that runs elsewhere. */
  readonly plan: LaunchPlan | undefined;
  readonly agent: () => Promise<FoundAgent | { readonly problem: string }>;
  readonly url: string;
  readonly write: (line: string) => void;
}

/** Looks for a zone or starts one, and registers the agent there as soon as both run. Does not wait for it. */
export function openPresence(
  { slack, name: given, protocol }: PresenceRequest,
  { session, plan, agent, url, write }: PresenceOptions,
): Presence {
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
    const { description = "", adapter, streams } = found;
    const card = JSON.stringify([name, description, adapter.protocol, streams, found.url]);
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
  const refresh = async (): Promise<void> => {
    last = last.then(present).catch(report);
    await last;
  };
  const join = async (): Promise<void> => {
    zone = await findZone(session, { folder, signal: closing.signal, write });
    await refresh();
  };
  const joined = slack
    ? join().catch((error: unknown) => (closing.signal.aborted ? undefined : report(error)))
    : undefined;

  return {
    refresh,
    name: () => name,
    slackUrl: () => zone?.slackUrl,
    close: async () => {
      closing.abort();
      await joined;
      await last;
      await registered?.remove().catch(() => write(`${name} could not be removed from the zone.`));
      await zone?.stop();
    },
  };
}

/** Shows an exchange of the terminal in the Traffic tab of the local Slack. The zone shows its own ones there. */
export function showInSlack(slackUrl: string, name: string, exchange: WireExchange): void {
  const { at, request, status, response, events, duration_ms = 0, problem } = exchange;
  const shown = {
    agent_name: name,
    correlation_id: "crosszone agent dev",
    at,
    operation: "send",
    duration_ms,
    request,
    protocol: protocolOf(exchange),
    status,
    ...((response ?? events) !== undefined && { response: response ?? events?.map(({ data }) => data) }),
    problem,
  };
  const headers = { "content-type": "application/json" };
  // Only for display: a failure to reach the local Slack changes nothing.
  fetch(`${slackUrl}/control/agent-exchanges`, { method: "POST", headers, body: JSON.stringify(shown) }).catch(
    () => undefined,
  );
}

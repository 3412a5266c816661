import { RefusedError } from "../../api/api-failure.ts";
import { harmless, harmlessLine } from "../../output/harmless.ts";
import type { Session } from "../../session.ts";
import type { FoundAgent } from "../talk/find-agent.ts";
import { findZone, type DevZone } from "./find-zone.ts";
import { agentName, register } from "./registration.ts";

/** The agent at a zone, and so in the local Slack. */
export interface Presence {
  /** Registers the agent; again when its card changed, because the zone keeps cards for minutes. Tells problems, never rejects. */
  readonly refresh: () => Promise<void>;
  readonly name: () => string;
  readonly slackUrl: () => string | undefined;
  /** Removes the agent from the zone, and ends the zone if it was started for it. */
  readonly close: () => Promise<void>;
}

export interface PresenceOptions {
  readonly session: Session;
  /** Whether the agent is registered at a zone. */
  readonly slack: boolean;
  /** Overrides the card's name. */
  readonly name: string | undefined;
  /** For a card without a name. */
  readonly fallback: string;
  readonly protocol: string | undefined;
  /** The folder of the agent. */
  readonly folder: string;
  readonly agent: () => Promise<FoundAgent | { readonly problem: string }>;
  readonly url: string;
  readonly write: (line: string) => void;
}

/** Looks for a zone or starts one, and registers the agent there as soon as both run. Does not wait for it. */
export function openPresence(options: PresenceOptions): Presence {
  const { session, slack, fallback, protocol, folder, agent, url, write } = options;
  const closing = new AbortController();
  let name = options.name ?? fallback;
  let zone: DevZone | undefined;
  let registered: { readonly card: string; readonly remove: () => Promise<void> } | undefined;

  async function present(): Promise<void> {
    const found = await agent();
    if ("problem" in found) return write(harmless(found.problem));
    name = options.name ?? agentName(found.name, fallback);
    const { description = "", adapter, streams } = found;
    const card = JSON.stringify([name, description, adapter.protocol, streams, found.url]);
    if (zone === undefined || registered?.card === card) return;
    await registered?.remove();
    registered = undefined;
    registered = { card, remove: await register(zone.agents, { name, url, description, protocol }) };
    write(harmlessLine(`In ${zone.slackUrl ?? "Slack"}: ask ${name}: …`));
  }

  const told = (error: unknown): void => {
    const problems = error instanceof RefusedError ? error.problems.map(({ message }) => message) : [];
    const advice = zone === undefined ? [] : ["Choose another name with --name."];
    write(harmless(["Not in Slack:", (error as Error).message, ...problems, ...advice].join(" ")));
  };
  let last = Promise.resolve();
  const refresh = async (): Promise<void> => {
    last = last.then(present).catch(told);
    await last;
  };
  const join = async (): Promise<void> => {
    zone = await findZone(session, { folder, signal: closing.signal, tell: write });
    await refresh();
  };
  const joined = slack
    ? join().catch((error: unknown) => (closing.signal.aborted ? undefined : told(error)))
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

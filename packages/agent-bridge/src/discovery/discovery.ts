import { type CardFacts, readCard } from "@crosszone/a2a";
import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { createA2A10Adapter } from "../adapters/a2a-adapter.ts";
import type { Adapters } from "../adapters/adapters.ts";
import { type AgentReply, failureOfStatus, type ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { chooseInterface } from "./choose-interface.ts";
import { parseCard } from "../client/agent-card.ts";

/** How to call an agent now: its adapter, the record with the URL to call, and its card's facts. */
export interface Discovered {
  readonly adapter: ProtocolAdapter;
  readonly agent: AgentRecord;
  readonly card?: CardFacts;
  /** The card could not be fetched because of a temporary problem. A later fetch may find another way to call the agent. */
  readonly isGuess: boolean;
}

const freshMs = 5 * 60_000;
/** How soon a missing card is fetched again, milliseconds. */
const freshWithoutCardMs = 30_000;
const longestFetchMs = 3_000;
const mostKept = 1_000;

/** Facts of a card; undefined without a card, `unknown` when a temporary problem prevented the fetch. */
type Found = CardFacts | undefined | "unknown";

export interface Discovery {
  /**
   * For `protocol: auto`, fetches the agent's card and chooses version and URL from it; without a card, A2A 0.3 at the
   * registered URL. Other protocols need no card. Throws an `AgentFailure` when the card is not trusted or has no usable interface, and
   * the signal's reason.
   */
  readonly discover: (agent: AgentRecord, signal: AbortSignal) => Promise<Discovered>;
  /** Returns the adapter of the other version of A2A. */
  readonly otherVersion: (adapter: ProtocolAdapter) => ProtocolAdapter;
  /** Makes the next call fetch the agent's card again. */
  readonly forget: (agent: AgentRecord) => void;
}

/** Determines how to call agents. Caches each card for five minutes, by the agent's id and revision. `now`: monotonic milliseconds. */
export function createDiscovery(client: AgentClient, adapters: Adapters, now: () => number): Discovery {
  const kept = new Map<string, { readonly facts: CardFacts | undefined; readonly until: number }>();

  async function discover(agent: AgentRecord, signal: AbortSignal): Promise<Discovered> {
    if (agent.protocol !== "auto") return { adapter: adapters.adapterOf(agent), agent, isGuess: false };
    const card = await factsOf(agent, signal);
    if (card === undefined || card === "unknown") {
      const adapter = adapters.adapterOf({ ...agent, protocol: "jsonrpc-2.0" });
      return { adapter, agent, isGuess: card === "unknown" };
    }
    const { protocol, url, tenant } = chooseInterface(card, agent);
    const adapter =
      protocol === "a2a-1.0" ? createA2A10Adapter({}, tenant) : adapters.adapterOf({ ...agent, protocol });
    return { adapter, agent: { ...agent, url }, card, isGuess: false };
  }

  function otherVersion({ protocol }: ProtocolAdapter): ProtocolAdapter {
    const other = protocol === "a2a-1.0" ? "jsonrpc-2.0" : "a2a-1.0";
    return adapters.adapterOf({ protocol: other, protocol_config: {} });
  }

  const forget = (agent: AgentRecord): void => void kept.delete(keyOf(agent));

  async function factsOf(agent: AgentRecord, signal: AbortSignal): Promise<Found> {
    const key = keyOf(agent);
    const known = kept.get(key);
    if (known !== undefined && known.until > now()) return known.facts;
    const timeoutMs = Math.min(agent.timeout_ms, longestFetchMs);
    const facts = await client.fetchCard({ agent, timeoutMs, signal }).then(factsIn, (error: unknown) => {
      signal.throwIfAborted();
      // The following call meets the same problem and decides whether to retry.
      if (error instanceof AgentFailure && error.kind !== "card_refused")
        return error.retryable ? "unknown" : undefined;
      throw error;
    });
    if (facts === "unknown") return facts;
    kept.delete(key);
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, { facts, until: now() + (facts === undefined ? freshWithoutCardMs : freshMs) });
    return facts;
  }

  return { discover, otherVersion, forget };
}

const keyOf = ({ id, revision }: AgentRecord): string => `${id} ${revision}`;

const factsIn = ({ status, body }: AgentReply): Found => {
  if (status === 200) return readCard(parseCard(body));
  return failureOfStatus({ status, headers: {}, body }).retryable ? "unknown" : undefined;
};

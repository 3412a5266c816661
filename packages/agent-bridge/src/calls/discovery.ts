import { type CardFacts, type CardInterface, readCard, spokenInterfaces } from "@crosszone/a2a";
import type { AgentRecord } from "@crosszone/contracts";
import { type Adapters, createA2A10Adapter } from "../adapters/adapters.ts";
import { parseCard } from "../client/agent-card.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { AgentFailure, type AgentReply, failureOfStatus, type ProtocolAdapter } from "../protocol/protocol-adapter.ts";

/** The registry's names of the versions of A2A. */
export const protocols = { "1.0": "a2a-1.0", "0.3": "jsonrpc-2.0" } as const;

/**
 * Chooses how to call an agent by its card: the interface to call, the first of `spokenInterfaces`. Throws an `AgentFailure` whose message says what to do: `protocol_unsupported`
 * when the card offers none, `address_refused` when its URL cannot be used.
 */
export function chooseInterface(card: CardFacts, agent: AgentRecord) {
  const [found] = spokenInterfaces(card);
  if (found === undefined) throw noInterface(agent, card.interfaces);
  return { protocol: protocols[found.version], url: urlOf(found.url, agent), tenant: found.tenant };
}

function noInterface({ name }: AgentRecord, interfaces: readonly CardInterface[]): AgentFailure {
  const offered = interfaces.map(({ binding, version }) => `${binding} ${version}`).join(", ");
  return new AgentFailure(
    "protocol_unsupported",
    `The card of the agent ${JSON.stringify(name)} offers ${offered.slice(0, 200)}, but Crosszone needs JSONRPC with A2A 1.0 or 0.3. Add such an interface to the agent.`,
  );
}

/**
 * Returns an interface's URL in callable form. A card that names its own machine (`localhost`, `0.0.0.0`) means the
 * registered host. Any other origin is refused: the registry decides where tasks and credentials go, not the card.
 */
export function urlOf(url: string, agent: { readonly name: string; readonly url: string }): string {
  const registered = new URL(agent.url);
  const named = URL.parse(url, registered);
  if (named !== null && isOwnMachine(named.hostname)) {
    const isNeighbor = isOwnMachine(registered.hostname) && named.port !== registered.port;
    if (!isNeighbor) [named.protocol, named.host] = [registered.protocol, registered.host];
  }
  if (named?.origin === registered.origin) return named.href;
  const shown = JSON.stringify(url.slice(0, 200));
  throw new AgentFailure(
    "address_refused",
    `The card of the agent ${JSON.stringify(agent.name)} names the URL ${shown}, which is not on the registered ${registered.origin}. Correct the card's URL, or register the agent with that URL.`,
  );
}

const isOwnMachine = (hostname: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname);

const freshMs = 5 * 60_000;
/** How soon a missing card is fetched again, milliseconds. */
const freshWithoutCardMs = 30_000;
const longestFetchMs = 3_000;
const mostKept = 1_000;

/** Facts of a card; undefined without a card, `unknown` when a temporary problem prevented the fetch. */
type Found = CardFacts | undefined | "unknown";

export type Discovery = ReturnType<typeof createDiscovery>;

/** Determines how to call agents. Caches each card for five minutes, by the agent's id and revision. `now`: monotonic milliseconds. */
export function createDiscovery(client: AgentClient, adapters: Adapters, now: () => number) {
  const kept = new Map<string, { readonly facts: CardFacts | undefined; readonly until: number }>();

  /**
   * For `protocol: auto`, fetches the agent's card and chooses version and URL from it; without a card, A2A 0.3 at the
   * registered URL. Other protocols need no card. `isGuess`: the card could not be fetched because of a temporary problem, and a later fetch
   * may find another way to call the agent. Throws an `AgentFailure` when the card is not trusted or has no usable interface, and
   * the signal's reason.
   */
  async function discover(agent: AgentRecord, signal: AbortSignal) {
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

import { readCard } from "@crosszone/a2a";
import {
  AgentFailure,
  cardUrls,
  chooseInterface,
  createA2A10Adapter,
  createAdapters,
  isCardLike,
  parseCard,
  type ProtocolAdapter,
} from "@crosszone/agent-bridge/wire";

/** How to call an agent, and what its card says about it. */
export interface FoundAgent {
  readonly adapter: ProtocolAdapter;
  readonly url: string;
  readonly streams: boolean;
  /** Of the card; undefined without a card. */
  readonly name?: string;
  readonly description?: string;
}

/** Timeout of one request for a card, milliseconds. */
const cardMs = 5_000;

/**
 * Fetches an agent's card and chooses protocol and URL as the zone does: with `auto` by the card, without a card A2A 0.3. Throws an
 * `AgentFailure` that says what to do when the card offers nothing to call, or the protocol is unknown.
 */
export async function findAgent(url: string, protocol = "auto"): Promise<FoundAgent> {
  const card = await fetchCard(url);
  const { name, description } = (card ?? {}) as { readonly name?: unknown; readonly description?: unknown };
  const own = {
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof description === "string" && description !== "" && { description }),
  };
  const facts = readCard(card);
  const adapters = createAdapters();
  if (protocol !== "auto" || facts === undefined) {
    const known = protocol === "auto" ? "jsonrpc-2.0" : protocol;
    const adapter = adapters.adapterOf({ protocol: known, protocol_config: {} });
    return { adapter, url, streams: facts?.streaming === true && adapter.toStream !== undefined, ...own };
  }
  const chosen = chooseInterface(facts, { name: own.name ?? url, url });
  const adapter =
    chosen.protocol === "a2a-1.0"
      ? createA2A10Adapter({}, chosen.tenant)
      : adapters.adapterOf({ protocol: chosen.protocol, protocol_config: {} });
  return { adapter, url: chosen.url, streams: facts.streaming, ...own };
}

/** Returns the first card among the agent's possible ones; undefined when it has none. Throws when nothing listens. */
async function fetchCard(url: string): Promise<unknown> {
  for (const at of cardUrls(url)) {
    const response = await fetch(at, { signal: AbortSignal.timeout(cardMs), redirect: "manual" }).catch(
      (cause: unknown) => {
        throw new AgentFailure("unreachable", `Nothing answers at ${at}. Start the agent, or correct the URL.`, {
          cause,
        });
      },
    );
    const body = new Uint8Array(await response.arrayBuffer());
    if (isCardLike({ status: response.status, body }, at)) return parseCard(body);
  }
  return undefined;
}

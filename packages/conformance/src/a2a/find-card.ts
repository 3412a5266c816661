import { cardUrls, isCardLike } from "@crosszone/agent-bridge/wire";
import { exchange, type Exchange, type Wire } from "../wire/exchange.ts";
import { isObject, type JsonObject } from "../wire/json.ts";

/** The agent card, and the request that found it or the last that did not. */
export interface FoundCard {
  /** Undefined when no card was found. */
  readonly json: JsonObject | undefined;
  readonly exchange: Exchange;
}

/** How long the agent's own URL has to show a card, milliseconds. A GET of it can open a stream that never ends. */
const ownUrlMs = 1_000;

/**
 * Fetches the agent card where the zone looks for it. Sends the headers of the protocol version, because an agent may have a card for each.
 */
export async function findCard(
  wire: Wire,
  url: string,
  { headers, limitMs }: { readonly headers: Readonly<Record<string, string>>; readonly limitMs: number },
): Promise<FoundCard> {
  let missed: Exchange | undefined;
  const candidates = cardUrls(url);
  for (const [index, candidate] of candidates.entries()) {
    const isOwn = index === 0 && candidates.length > 1;
    const limit = isOwn ? Math.min(limitMs, ownUrlMs) : limitMs;
    const found = await exchange(wire, { url: candidate, method: "GET", headers, limitMs: limit });
    const isCard = isCardLike({ status: found.status ?? 0, body: Buffer.from(found.text) }, candidate);
    if (isCard && isObject(found.json)) return { json: found.json, exchange: found };
    if (isOwn && found.ended !== "broken") continue;
    missed ??= found;
    // An agent that does not respond to the first request does not respond to the others.
    if (found.status === undefined) break;
  }
  return { json: undefined, exchange: missed as Exchange };
}

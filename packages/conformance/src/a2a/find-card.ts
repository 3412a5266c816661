import { exchange, type Exchange, type Wire } from "../wire/exchange.ts";
import { isObject, type JsonObject } from "../wire/json.ts";

/** The agent card, and the request that found it or the last that did not. */
export interface FoundCard {
  /** Undefined when no card was found. */
  readonly json: JsonObject | undefined;
  readonly exchange: Exchange;
}

const wellKnown = ".well-known/agent-card.json";

/**
 * Fetches the agent card: below the URL, at the root of its origin, the old name there, and the URL itself when it ends with `.json`. Sends
 * the headers of the protocol version, because an agent may have a card for each.
 */
export async function findCard(
  wire: Wire,
  url: string,
  { headers, limitMs }: { readonly headers: Readonly<Record<string, string>>; readonly limitMs: number },
): Promise<FoundCard> {
  let last: Exchange | undefined;
  for (const candidate of cardUrls(url)) {
    const found = await exchange(wire, { url: candidate, method: "GET", headers, limitMs });
    if (found.status === 200 && isObject(found.json)) return { json: found.json, exchange: found };
    last ??= found;
    // An agent that does not respond to the first request does not respond to the others.
    if (found.status === undefined) break;
  }
  return { json: undefined, exchange: last as Exchange };
}

function cardUrls(url: string): readonly string[] {
  const base = new URL(url);
  if (base.pathname.endsWith(".json")) return [url];
  const below = new URL(base);
  below.pathname = `${base.pathname.replace(/\/$/, "")}/${wellKnown}`;
  const others = [`/${wellKnown}`, "/.well-known/agent.json"].map((path) => new URL(path, base.origin).href);
  return [...new Set([below.href, ...others])];
}

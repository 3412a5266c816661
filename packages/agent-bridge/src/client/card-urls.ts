const wellKnown = "/.well-known/agent-card.json";

/**
 * Where the card of an agent may be: below the agent's own URL, where hosts of many agents have it, and at the root of its origin when
 * that is another place. What the URL has after `?` is kept. https://a2a-protocol.org/v0.3.0/specification/#53-recommended-discovery
 */
export function cardUrls(agentUrl: string): readonly [beside: string, atRoot?: string] {
  const { origin, pathname, search } = new URL(agentUrl);
  const path = pathname.replace(/\/+$/, "");
  const atRoot = origin + wellKnown + search;
  return path === "" ? [atRoot] : [origin + path + wellKnown + search, atRoot];
}

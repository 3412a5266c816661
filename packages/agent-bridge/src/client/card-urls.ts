const wellKnown = "/.well-known/agent-card.json";
/** The name before A2A 0.3. */
const formerName = "/.well-known/agent.json";

/**
 * Where the card of an agent can be, best first: the agent's own URL when that is a card's; else below it, where hosts of many agents have
 * it, and at the root of its origin, under today's name and the former one. The query of the URL is kept.
 * https://a2a-protocol.org/v1.0.0/specification/#82-discovery-mechanisms
 */
export function cardUrls(agentUrl: string): readonly string[] {
  const { origin, pathname, search } = new URL(agentUrl);
  const path = pathname.replace(/\/+$/, "");
  if (path.endsWith(wellKnown) || path.endsWith(formerName)) return [origin + path + search];
  const places = [path + wellKnown, wellKnown, formerName];
  return [...new Set(places)].map((place) => origin + place + search);
}

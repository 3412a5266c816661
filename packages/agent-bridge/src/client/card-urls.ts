const wellKnown = "/.well-known/agent-card.json";
/** The path before A2A 0.3. */
const formerName = "/.well-known/agent.json";

/**
 * Returns the possible URLs of an agent's card, best first. If the agent's URL is the URL of a card, it is the only one. Otherwise: below the
 * URL, for hosts with many agents, then at the root of its origin, under the current and the former path. The query of the URL is kept.
 * https://a2a-protocol.org/v1.0.0/specification/#82-discovery-mechanisms
 */
export function cardUrls(agentUrl: string): readonly string[] {
  const { origin, pathname, search } = new URL(agentUrl);
  const path = pathname.replace(/\/+$/, "");
  if (path.endsWith(wellKnown) || path.endsWith(formerName)) return [origin + path + search];
  const places = [path + wellKnown, wellKnown, formerName];
  return [...new Set(places)].map((place) => origin + place + search);
}

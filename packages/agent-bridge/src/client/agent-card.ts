import { opensDeeperThan } from "@crosszone/jsonrpc";
import { isObject } from "@crosszone/service-kit/json";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

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

/** Largest nesting depth of arrays and objects. Parsing a million levels takes seconds and blocks the process. */
const maxDepth = 64;

/** Returns the JSON of an agent card; undefined when it is not JSON or nested too deeply. */
export function parseCard(body: Uint8Array): unknown {
  if (opensDeeperThan(body, maxDepth)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Returns whether a response has a card. Many servers answer every path with an HTML page. */
export const isCardLike = ({ status, body }: AgentReply): boolean => status === 200 && isObject(parseCard(body));

import { opensDeeperThan } from "@crosszone/jsonrpc";
import { isObject } from "@crosszone/service-kit/json";
import { readCard } from "../protocol/read-card.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

const wellKnown = "/.well-known/agent-card.json";
/** The path before A2A 0.3. */
const formerName = "/.well-known/agent.json";

/**
 * Returns the possible URLs of an agent's card, best first: the agent's own URL, which is the only one if it ends with a well-known path. Then
 * below the URL, for hosts with many agents, and at the root of its origin, under the current and the former path. The query of the URL is kept.
 * https://a2a-protocol.org/v1.0.0/specification/#82-discovery-mechanisms
 */
export function cardUrls(agentUrl: string): readonly string[] {
  const { origin, pathname, search } = new URL(agentUrl);
  const path = pathname.replace(/\/+$/, "");
  const own = origin + (isWellKnown(path) ? path : pathname) + search;
  if (isWellKnown(path)) return [own];
  const places = [path + wellKnown, wellKnown, formerName];
  return [...new Set([own, ...places.map((place) => origin + place + search)])];
}

const isWellKnown = (path: string): boolean => path.endsWith(wellKnown) || path.endsWith(formerName);

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

/**
 * Returns whether a response has a card. Many servers answer every path with an HTML page, and their own URL with other JSON: at a
 * path that is not a well-known one, only a card with an interface counts.
 */
export function isCardLike({ status, body }: Pick<AgentReply, "status" | "body">, url: string): boolean {
  if (status !== 200) return false;
  const json = parseCard(body);
  return isWellKnown(new URL(url).pathname) ? isObject(json) : readCard(json) !== undefined;
}

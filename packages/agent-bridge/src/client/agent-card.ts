import { readCard } from "@crosszone/a2a";
import { type CardKey, CardSignatureError, verifyCard, type VerifyCardOptions } from "@crosszone/a2a/signatures";
import { parseExactJson } from "@crosszone/contracts/json";
import { canonicalJson, isObject } from "@crosszone/service-kit/json";
import { AgentFailure, type AgentReply, failureOfStatus } from "../protocol/protocol-adapter.ts";
import type { AgentClient, AgentRequest } from "./agent-client.ts";

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

/** Returns the JSON of an agent card; undefined when it is not JSON, is nested too deeply, or would change: its signature covers each value. */
export function parseCard(body: Uint8Array): unknown {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a response has a card. Many servers answer every path with an HTML page, and their own URL with other JSON: at a
 * path that is not a well-known one, only a card with an interface counts.
 */
export function isCardLike(
  { status, body }: { readonly status: number; readonly body: Uint8Array },
  url: string,
): boolean {
  if (status !== 200) return false;
  const json = parseCard(body);
  return isWellKnown(new URL(url).pathname) ? isObject(json) : readCard(json) !== undefined;
}

/** How long the agent's own URL has to show a card, milliseconds. A GET of it can open a stream that never ends. */
const ownUrlMs = 1_000;

/** Fetches an agent's card with `send`, from its possible URLs, within the time of the request. */
export async function fetchCard(
  send: AgentClient["send"],
  { agent, timeoutMs, signal }: AgentRequest,
): Promise<AgentReply> {
  const until = performance.now() + timeoutMs;
  const get = (url: string, mostMs = timeoutMs): Promise<AgentReply> =>
    send({ agent, url, timeoutMs: Math.max(1, Math.min(mostMs, until - performance.now())), signal });
  const [own = agent.url, ...others] = cardUrls(agent.url);
  if (others.length > 0) {
    const reply = await get(own, ownUrlMs).catch((error: unknown) => {
      const isNoCard = error instanceof AgentFailure && (error.kind === "call_timeout" || !error.retryable);
      if (isNoCard && !signal.aborted && performance.now() < until) return undefined;
      throw error;
    });
    if (reply !== undefined && isCardLike(reply, own)) return reply;
  }
  let first: AgentReply | undefined;
  for (const url of others.length > 0 ? others : [own]) {
    const reply = await get(url);
    if (isCardLike(reply, url)) return reply;
    // The next URL is tried only if this one has no card, and only while the server answers.
    first ??= reply;
    if (reply.status >= 500 && reply.status !== 501) break;
  }
  return first as AgentReply;
}

/** Decides which agent cards are trusted, by their signatures. */
export type CardRules = ReturnType<typeof createCardRules>;

/** The most bytes of a card whose signatures are verified. It is written in up to three forms, which costs more than reading it. */
const mostSignedBytes = 262_144;

export function createCardRules(mode: VerifyCardOptions["mode"]) {
  let keys: readonly CardKey[] = [];
  return {
    mode,
    trust: (trusted: readonly CardKey[]): void => {
      keys = trusted;
    },
    /** Returns the response to a request for a card with only what is trusted. Rejects with an `AgentFailure` `card_refused`. */
    check: async ({ agent: { name } }: AgentRequest, fetched: Promise<AgentReply>): Promise<AgentReply> => {
      if (mode === "off") return fetched;
      const isRequired = mode === "require";
      const reply = await fetched.catch((error: unknown) => {
        if (isRequired && error instanceof AgentFailure) throw refused(name, "it could not be fetched", error);
        throw error;
      });
      const card = reply.status === 200 ? parseCard(reply.body) : undefined;
      if (!isObject(card)) {
        if (isRequired) throw refused(name, "there is none", failureOfStatus(reply));
        return reply;
      }
      const { length } = reply.body;
      if (length > mostSignedBytes && (isRequired || card["signatures"] !== undefined))
        throw refused(name, `it has ${length} bytes, and a signed card can have ${mostSignedBytes}`);
      try {
        const trusted = await verifyCard(card, { mode, keys, now: Date.now(), canonicalJson });
        return trusted === card ? reply : { ...reply, body: Buffer.from(JSON.stringify(trusted)) };
      } catch (error) {
        if (error instanceof CardSignatureError) throw refused(name, error.message);
        throw error;
      }
    },
  };
}

function refused(name: string, why: string, cause?: AgentFailure): AgentFailure {
  const advice = "Sign the card with a key of the section card_keys of EXECUTION_FILE, or add its key there";
  const message = `The card of the agent ${JSON.stringify(name)} is not trusted: ${why}. ${advice}.`;
  return new AgentFailure("card_refused", message, { cause, retryable: cause?.retryable ?? false });
}

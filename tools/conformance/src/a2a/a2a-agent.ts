import { randomUUID } from "node:crypto";
import { methodOf, type Operation, type Part } from "@crosszone/a2a";
import { cardUrls, isCardLike } from "@crosszone/agent-bridge/wire";
import type { ConformanceOptions } from "../check.ts";
import { exchange, type Exchange, isObject, type JsonObject, objectOf, type Wire, type WireRequest } from "../wire.ts";
import type { Dialect, Endpoint } from "./find-endpoint.ts";

export interface A2ACall extends Exchange {
  readonly id: string | number | null | undefined;
  /** The response; of a stream undefined. */
  readonly response: JsonObject | undefined;
}

export interface A2ACallOptions extends Partial<WireRequest> {
  /** Default: a new UUID. */
  readonly id?: string | number | null;
}

interface SendOptions extends A2ACallOptions {
  readonly operation?: "send" | "stream";
  /** Whether the call waits for the end of the task (default false). Undefined: not said. */
  readonly waits?: boolean;
  /** More members of the message. */
  readonly message?: JsonObject;
  readonly parts?: readonly Part[];
}

/** What is known of an agent before its checks. */
export interface GivenAgent {
  /** The URL that was given. */
  readonly baseUrl: string;
  readonly questions: NonNullable<ConformanceOptions["questions"]> & { readonly answered: string };
  /** The agent's time for one response: a third of the run's, milliseconds. */
  readonly limitMs: number;
}

interface AgentParts extends GivenAgent {
  readonly dialect: Dialect;
  readonly card: FoundCard;
  readonly endpoint: Endpoint;
}

/** An agent that is checked against one version of A2A. */
export type A2AAgent = ReturnType<typeof createA2AAgent>;

export function createA2AAgent(parts: AgentParts, wire: Wire) {
  const { endpoint, limitMs } = parts;
  const { wire: version } = parts.dialect;
  const work = new Map<string, Promise<unknown>>();
  /** Sends a body as it is. */
  const post = (body: string, { headers, ...options }: A2ACallOptions = {}): Promise<Exchange> =>
    exchange(wire, {
      url: endpoint.url,
      method: "POST",
      headers: { "content-type": "application/json", ...version.headers, ...headers },
      body,
      limitMs,
      ...options,
    });
  const call = async (
    operation: Operation | "unknown",
    params: unknown,
    { id = randomUUID(), ...options }: A2ACallOptions = {},
  ): Promise<A2ACall> => {
    const method = operation === "unknown" ? "crosszone/unknown" : methodOf(version, operation);
    const streams = operation === "stream" || operation === "subscribe";
    const accept = streams ? "text/event-stream" : "application/json";
    const headers = { accept, ...options.headers };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const answer = await post(body, { ...options, headers });
    return { ...answer, id, response: objectOf(answer.json) };
  };
  const send = (text: string, options: SendOptions = {}): Promise<A2ACall> => {
    const { operation = "send", waits = false, message, parts: sent = [], ...others } = options;
    const isSaid = operation === "send" && !("waits" in options && options.waits === undefined);
    const own = version.writeMessage({ role: "ROLE_USER", messageId: randomUUID(), parts: [{ text }, ...sent] });
    const configuration = isSaid ? version.writeConfiguration(waits) : undefined;
    return call(operation, { message: { ...own, ...message }, configuration }, others);
  };
  return {
    ...parts,
    post,
    call,
    send,
    /** Runs a piece of work once, and returns the same promise to every caller. */
    once: <T>(name: string, start: () => Promise<T>): Promise<T> => {
      const known = work.get(name) ?? start();
      work.set(name, known);
      return known as Promise<T>;
    },
  };
}

export const errorOf = ({ response }: A2ACall): JsonObject | undefined => objectOf(response?.["error"]);

/** Returns the capability flags of the card. */
export const capabilityOf = ({ card }: A2AAgent, name: string): boolean =>
  objectOf(card.json?.["capabilities"])?.[name] === true;

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

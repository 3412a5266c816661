import { randomUUID } from "node:crypto";
import { methodOf, type Operation, type Part } from "@crosszone/a2a";
import type { ConformanceOptions } from "../conformance-options.ts";
import { exchange, type Exchange, type HttpRequest, type Wire } from "../wire/exchange.ts";
import { objectOf, type JsonObject } from "../wire/json.ts";
import type { Endpoint, FoundCard } from "./find-endpoint.ts";
import type { Dialect } from "./dialect.ts";

/** A JSON-RPC call and its response. */
export interface Call extends Exchange {
  readonly id: string | number | null | undefined;
  /** The response; of a stream undefined. */
  readonly response: JsonObject | undefined;
}

export interface CallOptions extends Partial<HttpRequest> {
  /** Default: a new UUID. */
  readonly id?: string | number | null;
}

export interface SendOptions extends CallOptions {
  readonly operation?: "send" | "stream";
  /** Whether the call waits for the end of the task (default false). Undefined: not said. */
  readonly waits?: boolean;
  /** More members of the message. */
  readonly message?: JsonObject;
  readonly parts?: readonly Part[];
}

/** What is known of an agent before its checks. */
export interface AgentParts {
  readonly dialect: Dialect;
  readonly questions: NonNullable<ConformanceOptions["questions"]> & { readonly answered: string };
  /** The URL that was given. */
  readonly baseUrl: string;
  readonly card: FoundCard;
  readonly endpoint: Endpoint;
  /** The agent's time for one response: a third of the run's, milliseconds. */
  readonly limitMs: number;
}

/** An agent that is checked against one version of A2A. */
export interface A2AAgent extends AgentParts {
  /** Sends a body as it is. */
  readonly post: (body: string, options?: CallOptions) => Promise<Exchange>;
  readonly call: (method: Operation | "unknown", params: unknown, options?: CallOptions) => Promise<Call>;
  /** Sends a message with a text. */
  readonly send: (text: string, options?: SendOptions) => Promise<Call>;
  /** Runs a piece of work once, and returns the same promise to every caller. */
  readonly once: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

export function createA2AAgent(parts: AgentParts, wire: Wire): A2AAgent {
  const { endpoint, limitMs } = parts;
  const { wire: version } = parts.dialect;
  const work = new Map<string, Promise<unknown>>();
  const post: A2AAgent["post"] = (body, { headers, ...options } = {}) =>
    exchange(wire, {
      url: endpoint.url,
      method: "POST",
      headers: { "content-type": "application/json", ...version.headers, ...headers },
      body,
      limitMs,
      ...options,
    });
  const call: A2AAgent["call"] = async (operation, params, { id = randomUUID(), ...options } = {}) => {
    const method = operation === "unknown" ? "crosszone/unknown" : methodOf(version, operation);
    const streams = operation === "stream" || operation === "subscribe";
    const accept = streams ? "text/event-stream" : "application/json";
    const headers = { accept, ...options.headers };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const answer = await post(body, { ...options, headers });
    return { ...answer, id, response: objectOf(answer.json) };
  };
  const send: A2AAgent["send"] = (text, options = {}) => {
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
    once: <T>(name: string, start: () => Promise<T>): Promise<T> => {
      const known = work.get(name) ?? start();
      work.set(name, known);
      return known as Promise<T>;
    },
  };
}

export const errorOf = ({ response }: Call): JsonObject | undefined => objectOf(response?.["error"]);

/** Returns the capability flags of the card. */
export const capabilityOf = ({ card }: A2AAgent, name: string): boolean =>
  objectOf(card.json?.["capabilities"])?.[name] === true;

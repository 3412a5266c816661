import type { AgentRecord } from "@crosszone/contracts";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import type { Dispatcher } from "undici";
import type { AddressRules } from "../addresses/address-rules.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";
import type { Connections } from "./connections.ts";
import { hideSecretsIn, type Credentials } from "./credentials/credentials.ts";
import type { PostForm } from "./credentials/oauth2-tokens.ts";
import { exchange } from "./exchange.ts";
import { sendFailure } from "./request-failures.ts";

/** How a client reaches an address of an agent. Throws an `AgentFailure` when it must not be called. */
export type ResolveAgent = (
  agent: AgentRecord,
  url: string,
) => Promise<{ readonly url: URL; readonly connect: () => Dispatcher; readonly credentials: Credentials }>;

/** A request to an agent, without its credentials. */
export interface ClientRequest {
  readonly agent: AgentRecord;
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Value of the `accept` header; JSON when absent. */
  readonly accept?: string;
  /** Largest answer, bytes; the client's own limit when absent. */
  readonly maxBytes?: number;
  readonly onEvent?: (data: Uint8Array) => boolean;
  readonly onOpen?: () => void;
}

/** Sends a request with the agent's credentials. Rejects with an `AgentFailure`. */
export type RequestAgent = (request: ClientRequest, signal: AbortSignal) => Promise<AgentReply>;

/** `maxBytes`: the largest answer. */
export function createRequestAgent(resolve: ResolveAgent, maxBytes: number): RequestAgent {
  const attempt = async (
    request: ClientRequest,
    signal: AbortSignal,
  ): Promise<{ reply: AgentReply; renew?: () => void }> => {
    const { agent, method, body, onEvent } = request;
    const who = nameOf(agent);
    const { url, credentials, connect } = await resolve(agent, request.url);
    const { headers: proof, renew, secrets } = credentials;
    // Sends nothing after an abort.
    signal.throwIfAborted();
    try {
      const dispatcher = connect();
      const { accept = onEvent === undefined ? "application/json" : "text/event-stream, application/json" } = request;
      const headers = { ...lowerCase(request.headers), accept, ...proof };
      const most = Math.min(maxBytes, request.maxBytes ?? maxBytes);
      const sent = { dispatcher, method, url, headers, signal, maxBytes: most, who };
      const hidden = (bytes: Uint8Array): Uint8Array => hideSecretsIn(bytes, secrets);
      const answer = await exchange({
        ...sent,
        body,
        ...(onEvent !== undefined && { onEvent: (data) => onEvent(hidden(data)), onOpen: request.onOpen }),
      });
      const reply = { ...answer, body: hidden(answer.body) };
      return { reply, renew };
    } catch (error) {
      throw sendFailure(error, who, url.host);
    }
  };

  return async (request, signal) => {
    const { reply, renew } = await attempt(request, signal);
    // A token may have been revoked early: after a 401 the request is retried once with a new token.
    if (reply.status !== 401 || renew === undefined) return reply;
    renew();
    return (await attempt(request, signal)).reply;
  };
}

/** Larger than any token; bytes. */
const tokenBytes = 262_144;

const tokenTimeoutMs = 10_000;

/** Returns a function that posts forms to token endpoints. */
export function createTokenPost(rules: AddressRules, connections: Connections): PostForm {
  const who = "The agent's token endpoint";
  return async (text, { authorization, body }) => {
    const { url, scope } = rules.check(text);
    const headers = {
      authorization,
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    };
    try {
      return await withTimeout(tokenTimeoutMs, async (signal) => {
        const dispatcher = connections.of(scope, undefined);
        return exchange({ dispatcher, method: "POST", url, headers, body, signal, maxBytes: tokenBytes, who });
      });
    } catch (error) {
      if (error instanceof TimeLimitError)
        throw new AgentFailure("call_timeout", `${who} did not answer within ${tokenTimeoutMs} ms.`);
      throw sendFailure(error, who, url.host);
    }
  };
}

export const nameOf = ({ name }: AgentRecord): string => `The agent ${JSON.stringify(name)}`;

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

import { startTimeLimit, TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import type { AddressRules } from "./address-rules.ts";
import { type CardRules, createCardRules, fetchCard } from "./agent-card.ts";
import type { AgentClient, AgentRequest, StreamNeed } from "./agent-client.ts";
import { AgentConnections, type ConnectionsOptions, createAgentFetch, type ResolveAgent } from "./agent-fetch.ts";
import {
  createOAuth2Tokens,
  type AgentCredentials,
  findCredentials,
  hideSecretsIn,
  type PostForm,
} from "./credentials.ts";
import { httpRequest, receiveAnswer, sendFailure } from "./receive-answer.ts";
import type { SecretRules, SecretSource } from "./secret-source.ts";

export interface AgentClientOptions extends ConnectionsOptions {
  readonly secrets: SecretSource;
  /** Decides which secrets can be sent to which agents. */
  readonly secretRules: SecretRules;
  /** Which cards are trusted; all when absent. */
  readonly cardRules?: CardRules;
  /** Largest answer, bytes. Default 8 MiB. */
  readonly maxBytes?: number;
}

/**
 * Creates an `AgentClient` on undici. A failure names the agent and its host, but never a secret or the rest of its
 * URL, which may contain one.
 */
export function createAgentClient(options: AgentClientOptions): AgentClient {
  const { rules, secrets, secretRules, maxBytes: most = 8 * 1024 * 1024 } = options;
  const { cardRules = createCardRules("off") } = options;
  const connections = new AgentConnections(options);
  const tokens = createOAuth2Tokens(createTokenPost(rules, connections));

  /** Throws before a secret is read when it must not be sent there. */
  const resolve: ResolveAgent = async (agent, text) => {
    const { url, scope } = rules.check(text);
    secretRules.check({ ...agent, url: text });
    const credentials = await findCredentials(agent.auth, secrets, tokens);
    return { url, credentials, connect: () => connections.of(scope, credentials.certificate) };
  };

  const send: AgentClient["send"] = async (request) => {
    const { agent, url: text = agent.url, timeoutMs, signal, onEvent, onOpen, held, maxBytes = most } = request;
    const { staysOpen = () => true } = request;
    if (text !== agent.url && new URL(text).origin !== new URL(agent.url).origin)
      throw new TypeError("an agent's credentials can only be sent to the agent's own origin");
    signal.throwIfAborted();
    const who = `The agent ${JSON.stringify(agent.name)}`;
    const limit = startTimeLimit(timeoutMs, signal);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const { url, credentials, connect } = await Promise.race([resolve(agent, text), limit.over]);
        const hidden = (bytes: Uint8Array): Uint8Array => hideSecretsIn(bytes, credentials.secrets);
        const onAlive = (): void => (staysOpen() ? limit.renew() : undefined);
        const onData = (data: Uint8Array): StreamNeed => {
          limit.renew();
          return onEvent?.(hidden(data)) ?? "more";
        };
        const reading = { url, signal: limit.signal, maxBytes: Math.min(most, maxBytes), who };
        const answer = receiveAnswer({ ...reading, onEvent: onEvent && onData, onOpen, onAlive, held });
        try {
          connect().dispatch(httpRequest(url, headersOf(request, credentials), request.body), answer.handler);
          const reply = await Promise.race([answer.reply, limit.over]);
          // A token may have been revoked early: after a 401 the request is retried once with a new token.
          if (!isFirst || reply.status !== 401 || credentials.renew === undefined)
            return { ...reply, body: hidden(reply.body) };
        } catch (error) {
          limit.signal.throwIfAborted();
          throw sendFailure(error, who, url.host);
        }
        credentials.renew();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TimeLimitError)) throw error;
      throw new AgentFailure("call_timeout", `${who} did not answer within ${Math.round(timeoutMs)} ms.`);
    } finally {
      limit.end();
    }
  };

  return {
    send,
    checksCards: cardRules.mode !== "off",
    fetchCard: (request) =>
      cardRules.check(
        request,
        fetchCard((get) => send({ ...get, maxBytes: mostCardBytes }), request),
      ),
    fetchAs: (agent) => createAgentFetch(resolve, { agent, maxBytes: most }),
    close: () => connections.destroy(),
  };
}

function headersOf({ headers = {}, body, onEvent, accept }: AgentRequest, credentials: AgentCredentials) {
  const usual = onEvent === undefined ? "application/json" : "text/event-stream, application/json";
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  if (body !== undefined) all["content-type"] = "application/json";
  return { ...all, accept: accept ?? usual, ...credentials.headers };
}

const mostCardBytes = 4_194_304;

/** Larger than any token; bytes. */
const mostTokenBytes = 262_144;

/** Timeout of a request for a token, milliseconds. */
const tokenTimeoutMs = 10_000;

function createTokenPost(rules: AddressRules, connections: AgentConnections): PostForm {
  const who = "The agent's token endpoint";
  return async (text, { authorization, body }) => {
    const { url, scope } = rules.check(text);
    const type = "application/x-www-form-urlencoded";
    const request = httpRequest(url, { authorization, accept: "application/json", "content-type": type }, body);
    try {
      return await withTimeout(tokenTimeoutMs, (signal) => {
        const { handler, reply } = receiveAnswer({ url, signal, maxBytes: mostTokenBytes, who });
        connections.of(scope).dispatch(request, handler);
        return reply;
      });
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw sendFailure(error, who, url.host);
      throw new AgentFailure("call_timeout", `${who} did not answer within ${tokenTimeoutMs} ms.`);
    }
  };
}

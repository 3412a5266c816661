import type { AgentRecord } from "@crosszone/contracts";
import { TimeLimitError } from "@crosszone/service-kit";
import { AgentFailure } from "../agent-failure.ts";
import type { SecretRules } from "../secrets/create-secret-rules.ts";
import type { SecretSource } from "../secrets/secret-source.ts";
import type { AddressRules } from "./address/address-rules.ts";
import type { Resolve } from "./address/checked-lookup.ts";
import type { AgentClient, AgentReply, AgentRequest } from "./agent-client.ts";
import { isObject } from "../adapters/own-member.ts";
import { parseCard } from "../discovery/read-card.ts";
import { createAgentFetch } from "./agent-fetch.ts";
import { cardUrls } from "./card-urls.ts";
import { createConnections } from "./connections.ts";
import { findCredentials } from "./credentials/credentials.ts";
import { hideSecretsIn } from "./credentials/hide-secrets-in.ts";
import { createOAuth2Tokens } from "./credentials/oauth2-tokens.ts";
import { exchange } from "./exchange.ts";
import { limited } from "./limited.ts";
import { sendFailure } from "./send-failure.ts";

/** Dependencies and limits of a client. */
export interface AgentClientOptions {
  /** Which addresses may be called, including token endpoints. */
  readonly rules: AddressRules;
  readonly secrets: SecretSource;
  /** Decides which secrets can be sent to which agents. */
  readonly secretRules: SecretRules;
  /** Largest answer, bytes. Default 8 MiB. */
  readonly maxBytes?: number;
  /** Timeout of connecting, milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Timeout of a token endpoint, milliseconds. Default 10,000. */
  readonly tokenTimeoutMs?: number;
  /** Certificate authorities besides Node's own, PEM. */
  readonly ca?: readonly string[];
  /** Resolves host names; the system's resolver when absent. */
  readonly resolve?: Resolve;
}

interface Asked {
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
}

/** Larger than any token; bytes. */
const tokenBytes = 262_144;

/**
 * Creates an `AgentClient` on undici. A failure names the agent and its host, but never a secret or the rest of its
 * URL, which may contain one.
 */
export function createAgentClient(options: AgentClientOptions): AgentClient {
  const {
    rules,
    secrets,
    secretRules,
    maxBytes = 8 * 1024 * 1024,
    connectTimeoutMs = 5_000,
    tokenTimeoutMs = 10_000,
  } = options;
  const connections = createConnections({ rules, connectTimeoutMs, ca: options.ca, resolve: options.resolve });

  const tokens = createOAuth2Tokens({
    post: async (text, { authorization, body }) => {
      const who = "The agent's token endpoint";
      const { url, reach } = rules.check(text);
      const headers = {
        authorization,
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      };
      try {
        return await limited({ timeoutMs: tokenTimeoutMs }, async (signal) => {
          const dispatcher = connections.of(reach, undefined);
          return exchange({ dispatcher, method: "POST", url, headers, body, signal, maxBytes: tokenBytes, who });
        });
      } catch (error) {
        if (error instanceof TimeLimitError)
          throw new AgentFailure("call_timeout", `${who} did not answer within ${tokenTimeoutMs} ms.`);
        throw sendFailure(error, who, url.host);
      }
    },
  });

  /** Throws before a secret is read when it must not be sent there. */
  const reach = async (agent: AgentRecord, text: string) => {
    const { url, reach: kind } = rules.check(text);
    secretRules.check({ ...agent, url: text });
    const credentials = await findCredentials(agent.auth, { secrets, tokens });
    return { url, credentials, connect: () => connections.of(kind, credentials.certificate) };
  };

  const attempt = async (asked: Asked, signal: AbortSignal): Promise<{ reply: AgentReply; renew?: () => void }> => {
    const { agent, method, body, onEvent } = asked;
    const who = nameOf(agent);
    const { url, credentials, connect } = await reach(agent, asked.url);
    const { headers: proof, renew } = credentials;
    // Sends nothing after an abort.
    signal.throwIfAborted();
    try {
      const dispatcher = connect();
      const { accept = onEvent === undefined ? "application/json" : "text/event-stream, application/json" } = asked;
      const headers = { ...lowerCase(asked.headers), accept, ...proof };
      const most = Math.min(maxBytes, asked.maxBytes ?? maxBytes);
      const sent = { dispatcher, method, url, headers, signal, maxBytes: most, who };
      const hidden = (bytes: Uint8Array): Uint8Array => hideSecretsIn(bytes, credentials.secrets);
      const answer = await exchange({
        ...sent,
        ...(body !== undefined && { body }),
        ...(onEvent !== undefined && { onEvent: (data) => onEvent(hidden(data)) }),
      });
      const reply = { ...answer, body: hidden(answer.body) };
      return { reply, ...(renew !== undefined && { renew }) };
    } catch (error) {
      throw sendFailure(error, who, url.host);
    }
  };

  /** A token may have been revoked early: after a 401 the request is retried once with a new token. */
  const ask = async (asked: Asked, signal: AbortSignal): Promise<AgentReply> => {
    const { reply, renew } = await attempt(asked, signal);
    if (reply.status !== 401 || renew === undefined) return reply;
    renew();
    return (await attempt(asked, signal)).reply;
  };

  const inTime = async (
    { agent, timeoutMs, signal }: { agent: AgentRecord; timeoutMs: number; signal: AbortSignal },
    work: (signal: AbortSignal, renew: () => void) => Promise<AgentReply>,
  ): Promise<AgentReply> => {
    try {
      return await limited({ timeoutMs, signal }, work);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof TimeLimitError)) throw error;
      throw new AgentFailure("call_timeout", `${nameOf(agent)} did not answer within ${Math.round(timeoutMs)} ms.`);
    }
  };

  const post = (request: AgentRequest, signal: AbortSignal, onEvent?: (data: Uint8Array) => boolean) => {
    const { agent, body } = request;
    const headers = { ...request.headers, "content-type": "application/json" };
    const how = onEvent === undefined ? {} : { onEvent };
    return ask({ agent, url: agent.url, method: "POST", headers, body, ...how }, signal);
  };

  return {
    post: (request) => inTime(request, (signal) => post(request, signal)),
    stream: (request) =>
      inTime(request, (signal, renew) =>
        post(request, signal, (data) => {
          renew();
          return request.onEvent(data);
        }),
      ),
    fetchCard: (request) =>
      inTime(request, async (signal) => {
        const { agent } = request;
        let first: AgentReply | undefined;
        for (const url of cardUrls(agent.url)) {
          const reply = await ask({ agent, url, method: "GET", headers: {} }, signal);
          if (isCardLike(reply)) return reply;
          // The next URL is tried only if this one has no card. A server that is down is not asked again.
          first ??= reply;
          if (reply.status >= 500 && reply.status !== 501) break;
        }
        if (first === undefined) throw new TypeError("an agent has at least one URL for its card");
        return first;
      }),
    fetchFile: (request) =>
      inTime(request, (signal) => {
        const { agent, url, maxBytes: most } = request;
        if (new URL(url).origin !== new URL(agent.url).origin)
          throw new TypeError("an agent's credentials can only be sent to the agent's own origin");
        return ask({ agent, url, method: "GET", headers: {}, accept: "*/*", maxBytes: most }, signal);
      }),
    fetchAs: (agent) => createAgentFetch(reach, { agent, maxBytes }),
    close: () => connections.destroy(),
  };
}

/** Returns whether a response has a card. Many servers answer every path with an HTML page. */
const isCardLike = ({ status, body }: AgentReply): boolean => status === 200 && isObject(parseCard(body));

const nameOf = ({ name }: AgentRecord): string => `The agent ${JSON.stringify(name)}`;

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

import type { AgentRecord } from "@crosszone/contracts";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import type { AddressRules } from "../addresses/address-rules.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";
import type { SecretRules } from "../secrets/secret-rules.ts";
import type { SecretSource } from "../secrets/secret-source.ts";
import { cardUrls, isCardLike } from "./agent-card.ts";
import type { AgentClient, AgentRequest } from "./agent-client.ts";
import { createAgentFetch } from "./agent-fetch.ts";
import { createConnections, type Resolve } from "./connections.ts";
import { findCredentials } from "./credentials/credentials.ts";
import { createOAuth2Tokens } from "./credentials/oauth2-tokens.ts";
import {
  type ClientRequest,
  createRequestAgent,
  createTokenPost,
  nameOf,
  type RequestAgent,
  type ResolveAgent,
} from "./request-agent.ts";

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
  /** Certificate authorities besides Node's own, PEM. */
  readonly ca?: readonly string[];
  /** Resolves host names; the system's resolver when absent. */
  readonly resolve?: Resolve;
}

/**
 * Creates an `AgentClient` on undici. A failure names the agent and its host, but never a secret or the rest of its
 * URL, which may contain one.
 */
export function createAgentClient(options: AgentClientOptions): AgentClient {
  const { rules, secrets, secretRules, maxBytes = 8 * 1024 * 1024 } = options;
  const { connectTimeoutMs = 5_000 } = options;
  const connections = createConnections({ rules, connectTimeoutMs, ca: options.ca, resolve: options.resolve });
  const tokens = createOAuth2Tokens({ post: createTokenPost(rules, connections) });

  /** Throws before a secret is read when it must not be sent there. */
  const resolve: ResolveAgent = async (agent, text) => {
    const { url, scope } = rules.check(text);
    secretRules.check({ ...agent, url: text });
    const credentials = await findCredentials(agent.auth, { secrets, tokens });
    return { url, credentials, connect: () => connections.of(scope, credentials.certificate) };
  };
  const requestAgent = createRequestAgent(resolve, maxBytes);

  const post = (request: AgentRequest, signal: AbortSignal, how: Pick<ClientRequest, "onEvent" | "onOpen"> = {}) => {
    const { agent, body } = request;
    const headers = { ...request.headers, "content-type": "application/json" };
    return requestAgent({ agent, url: agent.url, method: "POST", headers, body, ...how }, signal);
  };

  return {
    post: (request) => inTime(request, (signal) => post(request, signal)),
    stream: (request) =>
      inTime(request, (signal, renew) =>
        post(request, signal, {
          onOpen: request.onOpen,
          onEvent: (data) => {
            renew();
            return request.onEvent(data);
          },
        }),
      ),
    fetchCard: (request) => inTime(request, (signal) => fetchCard(requestAgent, request.agent, signal)),
    fetchFile: (request) =>
      inTime(request, (signal) => {
        const { agent, url, maxBytes: most } = request;
        if (new URL(url).origin !== new URL(agent.url).origin)
          throw new TypeError("an agent's credentials can only be sent to the agent's own origin");
        return requestAgent({ agent, url, method: "GET", headers: {}, accept: "*/*", maxBytes: most }, signal);
      }),
    fetchAs: (agent) => createAgentFetch(resolve, { agent, maxBytes }),
    close: () => connections.destroy(),
  };
}

/** Runs work within the request's timeout. Rejects with an `AgentFailure` `call_timeout`, or with the reason of its signal. */
async function inTime(
  { agent, timeoutMs, signal }: Pick<AgentRequest, "agent" | "timeoutMs" | "signal">,
  work: (signal: AbortSignal, renew: () => void) => Promise<AgentReply>,
): Promise<AgentReply> {
  try {
    return await withTimeout(timeoutMs, work, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof TimeLimitError)) throw error;
    throw new AgentFailure("call_timeout", `${nameOf(agent)} did not answer within ${Math.round(timeoutMs)} ms.`);
  }
}

/** How long the agent's own URL has to show a card, milliseconds. A GET of it can open a stream that never ends. */
const ownUrlMs = 1_000;

async function fetchCard(requestAgent: RequestAgent, agent: AgentRecord, signal: AbortSignal): Promise<AgentReply> {
  const get = (url: string, until: AbortSignal): Promise<AgentReply> =>
    requestAgent({ agent, url, method: "GET", headers: {} }, until);
  const urls = cardUrls(agent.url);
  const [own = agent.url, ...places] = urls;
  if (places.length > 0) {
    const limit = AbortSignal.timeout(ownUrlMs);
    const reply = await get(own, AbortSignal.any([signal, limit])).catch((error: unknown) => {
      const isNoCard = error instanceof AgentFailure && !error.retryable;
      if (!signal.aborted && (limit.aborted || isNoCard)) return undefined;
      throw error;
    });
    if (reply !== undefined && isCardLike(reply, own)) return reply;
  }
  let first: AgentReply | undefined;
  for (const url of places.length > 0 ? places : urls) {
    const reply = await get(url, signal);
    if (isCardLike(reply, url)) return reply;
    // The next URL is tried only if this one has no card, and only while the server answers.
    first ??= reply;
    if (reply.status >= 500 && reply.status !== 501) break;
  }
  if (first === undefined) throw new TypeError("an agent has at least one URL for its card");
  return first;
}

import type { AgentRecord } from "@crosszone/contracts";
import { certificateProblem, gatherBytes } from "@crosszone/service-kit";
import { startTimeLimit, TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import { type Dispatcher, fetch as fetchByUndici, type RequestInit } from "undici";
import { AgentFailure, type AgentFailureDetail } from "../protocol/protocol-adapter.ts";
import type { AddressRules } from "./address-rules.ts";
import { type CardRules, createCardRules, fetchCard } from "./agent-card.ts";
import type { AgentClient, AgentRequest, StreamNeed } from "./agent-client.ts";
import { AgentConnections, type ConnectionsOptions } from "./agent-connections.ts";
import {
  createOAuth2Tokens,
  type AgentCredentials,
  findCredentials,
  hideSecretsIn,
  type PostForm,
} from "./credentials.ts";
import { httpRequest, receiveAnswer, tooLarge } from "./receive-answer.ts";
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

/** How a client reaches an address of an agent. Throws an `AgentFailure` when it must not be called. */
type ResolveAgent = (
  agent: AgentRecord,
  url: string,
) => Promise<{ readonly url: URL; readonly connect: () => Dispatcher; readonly credentials: AgentCredentials }>;

/**
 * Returns a `fetch` for one agent: with its credentials, only at its origin, size-limited, without following redirects, and without our
 * secrets in the response. It rejects with an `AgentFailure` or undici's error.
 */
function createAgentFetch(
  resolve: ResolveAgent,
  { agent, maxBytes }: { readonly agent: AgentRecord; readonly maxBytes: number },
): typeof globalThis.fetch {
  const { origin } = new URL(agent.url);
  return async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== origin)
      throw new AgentFailure(
        "address_refused",
        `${request.url} was not called: the agent ${JSON.stringify(agent.name)} is registered at ${origin}.`,
      );
    const { url, connect, credentials } = await resolve(agent, request.url);
    const { method, signal } = request;
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(credentials.headers)) headers.set(name, value);
    const bytes = await request.arrayBuffer();
    const body = bytes.byteLength > 0 ? bytes : undefined;
    const sent = { method, headers: [...headers], body, signal, redirect: "manual", dispatcher: connect() } as const;
    // undici's types of `fetch` differ from Node's.
    const response = await fetchByUndici(url, sent as RequestInit);
    const shown = { status: response.status, statusText: response.statusText, headers: [...response.headers] };
    const { body: stream } = response;
    if (stream === null) return new Response(null, shown);
    const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
    const safe = withoutSecrets(credentials.secrets, { isStream, maxBytes, name: agent.name });
    return new Response((stream as unknown as ReadableStream<Uint8Array>).pipeThrough(safe), shown);
  };
}

const lineFeed = 0x0a;

/** A stream is passed on line by line, any other body as a whole. */
function withoutSecrets(
  secrets: readonly string[],
  { isStream, maxBytes, name }: { readonly isStream: boolean; readonly maxBytes: number; readonly name: string },
): TransformStream<Uint8Array, Uint8Array> {
  let pieces = gatherBytes();
  let bytes = 0;
  return new TransformStream({
    transform: (piece, controller) => {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge(`The agent ${JSON.stringify(name)}`, maxBytes);
      const end = isStream ? piece.lastIndexOf(lineFeed) + 1 : 0;
      pieces.add(end === 0 ? piece : piece.subarray(0, end));
      if (end === 0) return;
      controller.enqueue(hideSecretsIn(pieces.whole(), secrets));
      pieces = gatherBytes();
      pieces.add(piece.subarray(end));
    },
    flush: (controller) => {
      const rest = pieces.whole();
      if (rest.length > 0) controller.enqueue(hideSecretsIn(rest, secrets));
    },
  });
}

/** Codes of a connection that was lost after the request was sent, at least in part. */
export const brokenOff: RegExp = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/;

/** The meaning of connection error codes, and whether a retry may help. The first matching row applies. */
const meanings: readonly (readonly [RegExp, string, AgentFailureDetail?])[] = [
  [/^(ENOTFOUND|EAI_)/, "has no address in DNS"],
  [/^ECONNREFUSED$/, "refuses connections: nothing listens there"],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, "doesn't accept a connection in time"],
  [brokenOff, "closed the connection before its answer ended"],
  [/^(HPE_|HTTPParserError$)/, "doesn't speak HTTP", { retryable: false }],
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/,
    "has no trusted TLS certificate",
    { retryable: false },
  ],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, "is not called any more: this process is stopping"],
];

/**
 * Creates an `AgentFailure` from an error of a request. It names `host`, but nothing else of the URL, which may contain
 * a key.
 */
function sendFailure(error: unknown, who: string, host: string): AgentFailure {
  if (error instanceof AgentFailure) return error;
  const { name, code = name } = error as NodeJS.ErrnoException;
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return new AgentFailure("response_too_large", `${who} sent too many headers.`, { cause: error });
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED")
    return new AgentFailure("internal", `${who} can't be called as configured: ${(error as Error).message}.`, {
      cause: error,
    });
  const [, meaning, detail] = meanings.find(([form]) => form.test(code)) ?? [undefined, "can't be called"];
  const problem = certificateProblem(error);
  const why = problem === undefined ? meaning : `${meaning}: ${problem}`;
  return new AgentFailure("unreachable", `${who} at ${host} ${why} (${code}).`, { ...detail, cause: error });
}

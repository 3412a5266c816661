import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import { buffer } from "node:stream/consumers";
import { memberOf } from "@crosszone/a2a";
import {
  type AgentClient,
  createAdapters,
  createAddressRules,
  createAgentClient,
  createDiscovery,
  createSecretSource,
  fillSettings,
  isCardLike,
  newRecord,
  parseCard,
} from "@crosszone/agent-bridge/wire";
import type { AgentRecord } from "@crosszone/contracts";
import { steadyNow } from "@crosszone/service-kit/timing";
import { createParser } from "eventsource-parser";
import type { AgentState } from "./start-agent.ts";
import { jsonElseText, type OnWire, type WireExchange } from "./wire-exchange.ts";

/** Marks a request of the terminal. The agent does not get it. */
const fromHeader = "x-crosszone-from";

const hopByHop = new Set(["connection", "keep-alive", "transfer-encoding", "host", "upgrade", "te", fromHeader]);

/** A request that the proxy relays to the agent. */
interface RelayedRequest {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Undefined for a request that is not recorded: anything but POST. */
  readonly exchange: WireExchange | undefined;
  readonly onWire: OnWire;
  /** In milliseconds of `performance.now()`. */
  readonly startedAt: number;
  readonly proxyUrl: URL;
}

/** Sends a request to the agent at `agentUrl` and its response to the caller. Never rejects. */
async function relay(relayed: RelayedRequest, agentUrl: string): Promise<void> {
  try {
    const answer = await sendToAgent(relayed, agentUrl);
    const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
    await (isStream ? relayStream(relayed, answer) : relayWhole(relayed, answer, agentUrl));
  } catch (error) {
    if (relayed.response.destroyed) end(relayed, { problem: "The caller left." });
    else answerForAgent(relayed, `The agent broke the connection: ${(error as Error).message}.`);
  }
}

/** Sends a request to the agent. A caller that leaves ends it. */
async function sendToAgent({ request, body, response }: RelayedRequest, agentUrl: string): Promise<IncomingMessage> {
  const { "content-length": _, ...headers } = endToEnd(request.headers);
  // The setters keep the agent's origin, whatever the path looks like.
  const at = new URL(agentUrl);
  const [, path = "/", query = ""] = /^([^?]*)(.*)$/.exec(request.url ?? "/") ?? [];
  at.pathname = path.replace(/^[/\\]+/, "/");
  at.search = query;
  const make = at.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = make(at, {
      method: request.method ?? "GET",
      headers: { ...headers, "accept-encoding": "identity", "content-length": body.byteLength },
    });
    response.once("close", () => response.writableFinished || sent.destroy());
    sent.once("error", reject).once("response", resolve).end(body);
  });
}

/** Returns headers without those of one connection. */
function endToEnd(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

async function relayWhole(relayed: RelayedRequest, answer: IncomingMessage, agentUrl: string): Promise<void> {
  const { request, response, proxyUrl } = relayed;
  const content = await buffer(answer);
  const { statusCode: status = 502 } = answer;
  const { href } = new URL(request.url ?? "/", proxyUrl);
  const isCard = request.method === "GET" && isCardLike({ status, body: content }, href);
  const body = jsonElseText(content.toString());
  const shown = isCard ? Buffer.from(JSON.stringify(rewriteCard(body, new URL(agentUrl), proxyUrl))) : content;
  const { etag, ...headers } = endToEnd(answer.headers);
  // The tag is of the agent's own card.
  const kept = { ...headers, ...(!isCard && etag !== undefined && { etag }) };
  response.writeHead(status, { ...kept, "content-length": shown.byteLength }).end(shown);
  end(relayed, { status, response: content.byteLength > 0 ? body : undefined });
}

async function relayStream(relayed: RelayedRequest, answer: IncomingMessage): Promise<void> {
  const { response, exchange, onWire } = relayed;
  const { statusCode: status = 502 } = answer;
  response.writeHead(status, endToEnd(answer.headers)).flushHeaders();
  const parser = createParser({
    onEvent: ({ data }) => {
      if (exchange === undefined) return;
      const event = { at_ms: elapsed(relayed), data: jsonElseText(data) };
      (exchange.events ??= []).push(event);
      onWire("event", exchange, event);
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of answer as AsyncIterable<Uint8Array>) {
    response.write(piece);
    parser.feed(decoder.decode(piece, { stream: true }));
  }
  response.end();
  end(relayed, { status });
}

/** Answers for an agent that does not run, in the form that its caller reads: a JSON-RPC error, or HTTP 502. */
function answerForAgent(relayed: RelayedRequest, problem: string): void {
  const { response, exchange } = relayed;
  const { jsonrpc, id = null } = (exchange?.request ?? {}) as { readonly jsonrpc?: unknown; readonly id?: unknown };
  const body = { jsonrpc: "2.0", id, error: { code: -32_603, message: problem } };
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(jsonrpc === "2.0" ? 200 : 502, { "content-type": "application/json" })
      .end(JSON.stringify(jsonrpc === "2.0" ? body : { error: problem }));
  end(relayed, { problem });
}

const elapsed = ({ startedAt }: RelayedRequest): number => Math.round(performance.now() - startedAt);

function end(relayed: RelayedRequest, change: Partial<WireExchange>): void {
  if (relayed.exchange === undefined) return;
  Object.assign(relayed.exchange, change, { duration_ms: elapsed(relayed) });
  relayed.onWire("end", relayed.exchange);
}

const ownMachine = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

/** Replaces the agent's own address in the URLs of its card with the proxy's, so that callers stay on the proxy. */
function rewriteCard(card: unknown, agent: URL, proxy: URL): unknown {
  if (Array.isArray(card)) return card.map((item) => rewriteCard(item, agent, proxy));
  if (typeof card !== "object" || card === null) return card;
  return Object.fromEntries(
    Object.entries(card).map(([name, value]) => [
      name,
      name === "url" && typeof value === "string" ? moved(value, agent, proxy) : rewriteCard(value, agent, proxy),
    ]),
  );
}

function moved(text: string, agent: URL, proxy: URL): string {
  const url = URL.parse(text, agent);
  if (url === null) return text;
  // A card often names another port than PORT, or a name of this machine.
  const isOwn = url.origin === agent.origin || (ownMachine.test(url.hostname) && ownMachine.test(agent.hostname));
  return isOwn ? `${proxy.origin}${url.pathname}${url.search}` : text;
}

/** A server on a free port of 127.0.0.1. */
export interface Proxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a proxy on 127.0.0.1 that passes requests to the agent, delays them while it restarts, and reports each exchange. `stateOf` returns
 * the agent once no restart is under way.
 */
export async function startProxy(stateOf: () => Promise<AgentState>, onWire: OnWire): Promise<Proxy> {
  let count = 0;
  let proxyUrl = new URL("http://127.0.0.1");

  function begin(request: IncomingMessage, body: Buffer): WireExchange {
    const exchange: WireExchange = {
      n: (count += 1),
      at: new Date().toISOString(),
      from: request.headers[fromHeader] === "terminal" ? "terminal" : "zone",
      path: request.url ?? "/",
      request: jsonElseText(body.toString()),
    };
    onWire("request", exchange);
    return exchange;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const body = await buffer(request);
    const exchange = request.method === "POST" ? begin(request, body) : undefined;
    const relayed: RelayedRequest = { request, body, response, exchange, onWire, startedAt, proxyUrl };
    const state = await stateOf();
    if ("problem" in state) answerForAgent(relayed, state.problem);
    else await relay(relayed, state.url);
  }

  const server = await startLocalServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  proxyUrl = new URL(server.url);
  return server;
}

/** Starts a server that serves programs and pages of this machine only. It rejects all other requests before `serve` gets them. */
async function startLocalServer(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<Proxy> {
  const server = createServer((request, response) => {
    const reason = rejection(request);
    if (reason === undefined) return serve(request, response);
    response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: reason } }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Returns why a request is rejected. A web page could reach this server through its own host name (DNS rebinding) or with a form (CSRF),
 * and spend the author's keys. A URL as the request target would name another server.
 */
function rejection({ method = "GET", url = "/", headers }: IncomingMessage): string | undefined {
  const { host = "", origin } = headers;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host)) return "The Host header must be 127.0.0.1 or localhost.";
  if (!url.startsWith("/")) return `Expected a path that starts with "/", got "${url}".`;
  const isSafe = method === "GET" || method === "HEAD";
  if (!isSafe && origin !== undefined && origin !== `http://${host}`)
    return "Requests of web pages with another origin are rejected.";
  return undefined;
}

/** How to call an agent, and what its card says about it. */
export interface FoundAgent {
  readonly record: AgentRecord;
  readonly client: AgentClient;
  /** Of the card; undefined without a card. */
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** What the agent answers when its card is fetched. */
  readonly card: string;
}

/** Timeouts of a request for a card and of an answer, milliseconds. */
const cardMs = 5_000;
const answerMs = 600_000;

/**
 * Fetches an agent's card, by which the zone chooses protocol and URL. Throws an `AgentFailure` that says what to do when the card offers
 * nothing to call, or the protocol is unknown.
 */
export async function findAgent(url: string, protocol = "auto"): Promise<FoundAgent> {
  const retry = { max_retries: 0, base_ms: 100, max_ms: 100 };
  const agent = newRecord(fillSettings({ name: url, url, protocol, timeout_ms: answerMs, retry }));
  const client = clientOf(url);
  const { signal } = new AbortController();
  const reply = await client.fetchCard({ agent, timeoutMs: cardMs, signal });
  const card = reply.status === 200 ? parseCard(reply.body) : undefined;
  const [name, description] = ["name", "description"].map((member) => {
    const text = memberOf(card, member);
    return typeof text === "string" && text !== "" ? text : undefined;
  });
  const found = { ...client, fetchCard: () => Promise.resolve(reply) };
  const record = { ...agent, name: name ?? url };
  await createDiscovery(found, createAdapters(), steadyNow).discover(record, signal);
  return { record, client: found, name, description, card: Buffer.from(reply.body).toString() };
}

/** Returns a client that marks its requests as those of the terminal. It activates no extensions: the agent asks in words. */
function clientOf(url: string): AgentClient {
  const client = createAgentClient({
    rules: createAddressRules({ origins: [new URL(url).origin] }),
    secrets: createSecretSource({ environment: {} }),
    secretRules: { check: () => undefined },
  });
  const send: AgentClient["send"] = ({ headers = {}, ...request }) => {
    const kept = Object.entries(headers).filter(([name]) => !name.endsWith("a2a-extensions"));
    return client.send({ ...request, headers: { ...Object.fromEntries(kept), [fromHeader]: "terminal" } });
  };
  return { ...client, send };
}

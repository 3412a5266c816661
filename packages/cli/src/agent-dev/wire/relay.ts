import { type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import { buffer } from "node:stream/consumers";
import { createParser } from "eventsource-parser";
import { asJson, type OnWire, type WireExchange } from "./wire-exchange.ts";

/** Marks a request of the terminal. The agent does not get it. */
export const fromHeader = "x-crosszone-from";

const hopByHop = new Set(["connection", "keep-alive", "transfer-encoding", "host", "upgrade", "te", fromHeader]);

/** A request that the proxy relays to the agent. */
export interface RelayedRequest {
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
export async function relay(relayed: RelayedRequest, agentUrl: string): Promise<void> {
  try {
    const answer = await sendToAgent(relayed, agentUrl);
    const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
    await (isStream ? relayStream(relayed, answer) : relayWhole(relayed, answer, agentUrl));
  } catch (error) {
    if (relayed.response.destroyed) end(relayed, { problem: "The caller left." });
    else refuse(relayed, `The agent broke the connection: ${(error as Error).message}.`);
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
  const isCard = request.method === "GET" && isCardPath(request.url ?? "/") && status === 200;
  const body = asJson(content.toString());
  const shown = isCard ? Buffer.from(JSON.stringify(rewriteCard(body, new URL(agentUrl), proxyUrl))) : content;
  const { etag, ...headers } = endToEnd(answer.headers);
  // The tag is of the agent's own card.
  const kept = { ...headers, ...(!isCard && etag !== undefined && { etag }) };
  response.writeHead(status, { ...kept, "content-length": shown.byteLength }).end(shown);
  end(relayed, { status, ...(content.byteLength > 0 && { response: body }) });
}

async function relayStream(relayed: RelayedRequest, answer: IncomingMessage): Promise<void> {
  const { response, exchange, onWire } = relayed;
  const { statusCode: status = 502 } = answer;
  response.writeHead(status, endToEnd(answer.headers)).flushHeaders();
  const parser = createParser({
    onEvent: ({ data }) => {
      if (exchange === undefined) return;
      const event = { at_ms: elapsed(relayed), data: asJson(data) };
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
export function refuse(relayed: RelayedRequest, problem: string): void {
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

const cardPath = /\/\.well-known\/agent(-card)?\.json$/;

const isCardPath = (path: string): boolean => cardPath.test(new URL(path, "http://agent").pathname);

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

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { createParser } from "eventsource-parser";
import type { AgentState } from "../child/supervise.ts";
import { isCardPath, rewriteCard } from "./rewrite-card.ts";
import { endToEnd, fromHeader, sendToAgent } from "./send-to-agent.ts";
import { asJson, type OnWire, type WireExchange } from "./wire-exchange.ts";

export interface ProxyOptions {
  /** The agent, once no restart is under way. */
  readonly agent: () => Promise<AgentState>;
  readonly onWire: OnWire;
  /** Answers requests for the proxy's own pages; returns false for all others. */
  readonly ownPages?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Proxy {
  readonly url: string;
  /** The latest ones, oldest first. */
  readonly exchanges: readonly WireExchange[];
  readonly close: () => Promise<void>;
}

/** Kept with an exchange: what it takes to send it again, and no credentials. */
const keptHeaders = ["content-type", "accept", "a2a-version", "a2a-extensions"];
const mostKept = 500;

/** A request that is passed on. */
interface Passed {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined for a request that is not recorded: anything but POST. */
  readonly exchange: WireExchange | undefined;
  readonly onWire: OnWire;
  readonly startedAt: number;
  readonly proxyUrl: URL;
}

/** Starts a proxy on 127.0.0.1 that passes requests to the agent, holds them while it restarts, and records each exchange. */
export async function startProxy({ agent, onWire, ownPages }: ProxyOptions): Promise<Proxy> {
  const exchanges: WireExchange[] = [];
  let count = 0;
  let proxyUrl = new URL("http://127.0.0.1");

  function begin(request: IncomingMessage, body: Buffer): WireExchange {
    const kept = keptHeaders.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : []));
    const exchange: WireExchange = {
      n: (count += 1),
      at: new Date().toISOString(),
      from: request.headers[fromHeader] === "terminal" ? "terminal" : "zone",
      path: request.url ?? "/",
      headers: Object.fromEntries(kept) as Record<string, string>,
      request: asJson(body.toString()),
    };
    exchanges.push(exchange);
    if (exchanges.length > mostKept) exchanges.shift();
    onWire("request", exchange);
    return exchange;
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const body = await buffer(request);
    const exchange = request.method === "POST" ? begin(request, body) : undefined;
    const passed: Passed = { request, response, exchange, onWire, startedAt, proxyUrl };
    const state = await agent();
    if ("problem" in state) return refuse(passed, state.problem);
    try {
      const came = await sendToAgent({ request, body, base: state.url, response });
      const isStream = came.headers["content-type"]?.startsWith("text/event-stream") === true;
      await (isStream ? passStream(passed, came) : passWhole(passed, came, state.url));
    } catch (error) {
      if (response.destroyed) end(passed, { problem: "The caller left." });
      else refuse(passed, `The agent broke the connection: ${(error as Error).message}.`);
    }
  }

  const server = createServer((request, response) => {
    if (ownPages?.(request, response) === true) return;
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  proxyUrl = new URL(`http://127.0.0.1:${(server.address() as { readonly port: number }).port}`);
  return {
    url: proxyUrl.origin,
    exchanges,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const elapsed = ({ startedAt }: Passed): number => Math.round(performance.now() - startedAt);

function end(passed: Passed, change: Partial<WireExchange>): void {
  if (passed.exchange === undefined) return;
  Object.assign(passed.exchange, change, { duration_ms: elapsed(passed) });
  passed.onWire("end", passed.exchange);
}

async function passWhole(passed: Passed, came: IncomingMessage, agentUrl: string): Promise<void> {
  const { request, response, proxyUrl } = passed;
  const content = await buffer(came);
  const { statusCode: status = 502 } = came;
  const isCard = request.method === "GET" && isCardPath(request.url ?? "/") && status === 200;
  const body = asJson(content.toString());
  const shown = isCard ? Buffer.from(JSON.stringify(rewriteCard(body, new URL(agentUrl), proxyUrl))) : content;
  const { etag, ...headers } = endToEnd(came.headers);
  // The tag is of the agent's own card.
  const kept = { ...headers, ...(!isCard && etag !== undefined && { etag }) };
  response.writeHead(status, { ...kept, "content-length": shown.byteLength }).end(shown);
  end(passed, { status, ...(content.byteLength > 0 && { response: body }) });
}

async function passStream(passed: Passed, came: IncomingMessage): Promise<void> {
  const { response, exchange, onWire } = passed;
  const { statusCode: status = 502 } = came;
  response.writeHead(status, endToEnd(came.headers)).flushHeaders();
  const parser = createParser({
    onEvent: ({ data }) => {
      if (exchange === undefined) return;
      const event = { at_ms: elapsed(passed), data: asJson(data) };
      (exchange.events ??= []).push(event);
      onWire("event", exchange, event);
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of came as AsyncIterable<Uint8Array>) {
    response.write(piece);
    parser.feed(decoder.decode(piece, { stream: true }));
  }
  response.end();
  end(passed, { status });
}

/** Answers for an agent that does not run, in the form that its caller reads: a JSON-RPC error, or HTTP 502. */
function refuse(passed: Passed, problem: string): void {
  const { response, exchange } = passed;
  const { jsonrpc, id = null } = (exchange?.request ?? {}) as { readonly jsonrpc?: unknown; readonly id?: unknown };
  const body = { jsonrpc: "2.0", id, error: { code: -32_603, message: problem } };
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(jsonrpc === "2.0" ? 200 : 502, { "content-type": "application/json" })
      .end(JSON.stringify(jsonrpc === "2.0" ? body : { error: problem }));
  end(passed, { problem });
}

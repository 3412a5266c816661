import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { AgentState } from "../child/start-agent.ts";
import { type LocalServer, startLocalServer } from "./local-server.ts";
import { fromHeader, refuse, relay, type RelayedRequest } from "./relay.ts";
import { asJson, type OnWire, type WireExchange } from "./wire-exchange.ts";

export interface ProxyOptions {
  /** The agent, once no restart is under way. */
  readonly agent: () => Promise<AgentState>;
  readonly onWire: OnWire;
  /** Answers requests for the proxy's own pages; returns false for all others. */
  readonly ownPages?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Proxy extends LocalServer {
  /** The latest ones, oldest first. */
  readonly exchanges: readonly WireExchange[];
}

/** Kept with an exchange: the data to send it again, without credentials. */
const keptHeaders = ["content-type", "accept", "a2a-version", "a2a-extensions"];
const mostKept = 500;

/** Starts a proxy on 127.0.0.1 that passes requests to the agent, delays them while it restarts, and records each exchange. */
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

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const body = await buffer(request);
    const exchange = request.method === "POST" ? begin(request, body) : undefined;
    const relayed: RelayedRequest = { request, body, response, exchange, onWire, startedAt, proxyUrl };
    const state = await agent();
    if ("problem" in state) refuse(relayed, state.problem);
    else await relay(relayed, state.url);
  }

  const server = await startLocalServer((request, response) => {
    if (ownPages?.(request, response) === true) return;
    answer(request, response).catch(() => response.destroy());
  });
  proxyUrl = new URL(server.url);
  return { ...server, exchanges };
}

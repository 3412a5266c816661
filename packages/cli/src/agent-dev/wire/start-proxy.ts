import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { AgentState } from "../child/start-agent.ts";
import { fromHeader, refuse, relay, type RelayedRequest } from "./relay.ts";
import { asJson, type OnWire, type WireExchange } from "./wire-exchange.ts";

export interface ProxyOptions {
  /** The agent, once no restart is under way. */
  readonly agent: () => Promise<AgentState>;
  readonly onWire: OnWire;
}

/** A server on a free port of 127.0.0.1. */
export interface Proxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a proxy on 127.0.0.1 that passes requests to the agent, delays them while it restarts, and reports each exchange. */
export async function startProxy({ agent, onWire }: ProxyOptions): Promise<Proxy> {
  let count = 0;
  let proxyUrl = new URL("http://127.0.0.1");

  function begin(request: IncomingMessage, body: Buffer): WireExchange {
    const exchange: WireExchange = {
      n: (count += 1),
      at: new Date().toISOString(),
      from: request.headers[fromHeader] === "terminal" ? "terminal" : "zone",
      path: request.url ?? "/",
      request: asJson(body.toString()),
    };
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

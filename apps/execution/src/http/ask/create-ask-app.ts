import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { answerJson, type Emit, type Health, isLoopback } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import express, { type RequestHandler } from "express";
import { createLastAnswer, type Next, type Route, serveRoute } from "../serve-route.ts";
import { keysPath, publicKeysOf } from "./card-key.ts";
import type { AskSurface } from "../ask-routes-deps.ts";
import { createMetadataRoute, metadataPath, type ResourceMetadataDeps } from "./resource-metadata.ts";

export interface AskAppDeps extends ResourceMetadataDeps {
  /** The routes of each protocol, which authenticate their requests. */
  readonly routes: Readonly<Partial<Record<AskSurface, RequestHandler>>>;
  /** ASK_URL. Without it, only programs on this machine are served. */
  readonly askUrl: string | undefined;
  /** Returns the private key that signs agent cards, PEM. */
  readonly cardKey: () => string | undefined;
  readonly health: Health;
  readonly emit: Emit<ExecutionEvent>;
}

/**
 * Creates the HTTP surface for programs: `/a2a`, `/mcp`, the metadata of both, the public keys of agent cards, and `/healthz`. Every other
 * request gets a JSON answer.
 */
export function createAskApp({ routes, askUrl, cardKey, health, emit, ...metadata }: AskAppDeps): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  // Probes send the address of the process as their host.
  app.get("/healthz", (_request, response) => answerJson(response, 200, JSON.stringify(health.live())));
  app.use(serveRoute(createGuard(askUrl && new URL(askUrl).hostname), emit));
  app.get(keysPath, serveRoute(createKeysRoute(cardKey), emit));
  for (const path of ["", "/a2a", "/mcp"] as const) app.get(metadataPath + path, createMetadataRoute(metadata, path));
  for (const [surface, route] of Object.entries(routes)) app.use(`/${surface}`, route);

  const serve = app as unknown as (request: IncomingMessage, response: ServerResponse, last: Next) => void;
  const lastAnswer = createLastAnswer("/a2a/<agent> and /mcp", emit);
  return (request, response) => serve(request, response, lastAnswer(response));
}

const createKeysRoute =
  (cardKey: AskAppDeps["cardKey"]): Route =>
  async ({ response }) => {
    answerJson(response, 200, JSON.stringify(await publicKeysOf(cardKey())));
    return undefined;
  };

/**
 * Refuses a request to another host or of another site's page, so that a page can't reach the listener by DNS rebinding. `not_found` passes a
 * request on. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
function createGuard(ownHost: string | undefined): Route {
  const isOurs = (url: string): boolean => {
    const host = URL.parse(url)?.hostname;
    return host !== undefined && (host === ownHost || isLoopback(host));
  };
  return async ({ request: { headers } }) => {
    if (!isOurs(`http://${headers.host ?? ""}`)) return { reason: "host_not_allowed" };
    const { origin } = headers;
    return origin === undefined || isOurs(origin) ? "not_found" : { reason: "origin_not_allowed" };
  };
}

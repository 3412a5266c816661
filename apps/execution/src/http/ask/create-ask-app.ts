import { createPrivateKey, createPublicKey } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { signCard } from "@crosszone/a2a/signatures";
import { answerJson, type Emit, type Health, isLoopback } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import type { ExecutionEvent } from "@crosszone/telemetry";
import express, { type RequestHandler } from "express";
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from "jose";
import { a2aRefusalText } from "../a2a/a2a-exchange.ts";
import { refusalText, type WriteRefusal } from "../refuse.ts";
import { createLastAnswer, type Next, type Route, serveRoute } from "../serve-route.ts";
import type { AskRoutesDeps, AskSurface } from "../ask-routes-deps.ts";

/** https://www.rfc-editor.org/rfc/rfc9728#section-3 */
export const metadataPath = "/.well-known/oauth-protected-resource";

/** The path of the public keys. */
const keysPath = "/.well-known/jwks.json";

interface AskAppDeps {
  readonly publicUrl: AskRoutesDeps["publicUrl"];
  /** Returns the issuers whose tokens are accepted. */
  readonly issuers: () => readonly string[];
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
  app.use(serveRoute(createGuard(askUrl && new URL(askUrl).hostname), emit, writeRefusal));
  app.get(keysPath, serveRoute(createKeysRoute(cardKey), emit));
  for (const path of ["", "/a2a", "/mcp"] as const) app.get(metadataPath + path, createMetadataRoute(metadata, path));
  for (const [surface, route] of Object.entries(routes)) app.use(`/${surface}`, route);

  const serve = app as unknown as (request: IncomingMessage, response: ServerResponse, last: Next) => void;
  const lastAnswer = createLastAnswer("/a2a/<agent> and /mcp", emit, writeRefusal);
  return (request, response) => serve(request, response, lastAnswer(response));
}

/** Each error has the form of the protocol of its path. */
const writeRefusal: WriteRefusal = (error, exchange) =>
  (/^\/a2a(?![^/?])/.test(exchange.request.url ?? "") ? a2aRefusalText : refusalText)(error, exchange);

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

/** Serves the metadata of the resource at a path: where a program gets a token, for which audience and scope. It is public. */
const createMetadataRoute =
  ({ publicUrl, issuers }: Pick<AskAppDeps, "publicUrl" | "issuers">, path: "" | "/a2a" | "/mcp") =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const servers = issuers();
    const metadata = {
      resource: `${publicUrl(request)}${path}`,
      resource_name: "Crosszone",
      ...(servers.length > 0 && { authorization_servers: servers }),
      scopes_supported: ["ask"],
      bearer_methods_supported: ["header"],
    };
    answerJson(response, 200, JSON.stringify(metadata));
  };

/** Signs a card with a private key, PEM. The key's name is its thumbprint. https://www.rfc-editor.org/rfc/rfc7638 */
export async function signWithKey(card: object, pem: string): Promise<object> {
  const key = createPrivateKey(pem).export({ format: "jwk" }) as JWK;
  return signCard({ ...card }, { key, kid: await calculateJwkThumbprint(key), canonicalJson });
}

/** Returns the public key of a private key, PEM; no key without one. https://www.rfc-editor.org/rfc/rfc7517#section-5 */
async function publicKeysOf(pem: string | undefined): Promise<JSONWebKeySet> {
  if (pem === undefined) return { keys: [] };
  const key = createPublicKey(pem).export({ format: "jwk" }) as JWK;
  return { keys: [{ ...key, kid: await calculateJwkThumbprint(key), use: "sig" }] };
}

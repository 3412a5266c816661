import { createPrivateKey, createPublicKey } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { signCard } from "@crosszone/a2a/signatures";
import {
  answerJson,
  type Health,
  isLoopback,
  type Exchange,
  type Refusal,
  surface,
  type WriteRefusal,
} from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import express, { type RequestHandler } from "express";
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from "jose";
import { writeA2aRefusal } from "./a2a/a2a-errors.ts";
import type { AskRoutesDeps, AskSurface } from "./ask-routes-deps.ts";
import type { HookRoute } from "./hook-route.ts";
import { createLastAnswer, createReportRefused, type Next, refuse, writeRpcRefusal } from "./serve-route.ts";

/** https://www.rfc-editor.org/rfc/rfc9728#section-3 */
export const metadataPath = "/.well-known/oauth-protected-resource";

/** The path of the public keys. */
const keysPath = "/.well-known/jwks.json";

/**
 * Creates the HTTP surface for programs: `/a2a`, `/mcp`, the metadata of both, the public keys of agent cards, `/hooks`, and `/healthz`. Every other
 * request gets a JSON answer.
 */
export function createAskApp(
  routes: Readonly<Partial<Record<AskSurface, RequestHandler>>>,
  deps: AskRoutesDeps,
  served: {
    /** ASK_URL. Without it, only programs on this machine are served. */
    readonly askUrl: string | undefined;
    /** Returns the issuers whose tokens are accepted. */
    readonly issuers: () => readonly string[];
    readonly health: Health;
    /** Serves `/hooks`. Undefined in a zone without hooks. */
    readonly hooks?: HookRoute | undefined;
  },
): RequestListener {
  const { askUrl, issuers, health, hooks } = served;
  const { emit, publicUrl } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  // Probes send the address of the process as their host.
  app.get("/healthz", (_request, response) => answerJson(response, 200, JSON.stringify(health.live())));
  const open = { auth: () => ({ who: undefined }), refuse, write: writeRefusal, onRefused: createReportRefused(emit) };
  const may = createGuard(askUrl && new URL(askUrl).hostname);
  app.use(surface<undefined>({ ...open, may, serve: (_exchange, { next }) => next() }));
  const serveKeys = async ({ response }: Exchange): Promise<void> =>
    answerJson(response, 200, JSON.stringify(await publicKeysOf(deps.cardKey)));
  app.get(keysPath, surface<undefined>({ ...open, serve: serveKeys }));
  // Where a program gets a token, for which audience and scope. It is public.
  for (const path of ["", "/a2a", "/mcp"])
    app.get(metadataPath + path, (request, response) => {
      const servers = issuers();
      const metadata = {
        resource: `${publicUrl(request)}${path}`,
        resource_name: "Crosszone",
        authorization_servers: servers.length > 0 ? servers : undefined,
        scopes_supported: ["ask"],
        bearer_methods_supported: ["header"],
      };
      answerJson(response, 200, JSON.stringify(metadata));
    });
  for (const [protocol, route] of Object.entries(routes)) app.use(`/${protocol}`, route);
  if (hooks) app.use("/hooks", hooks);

  const serve = app as unknown as (request: IncomingMessage, response: ServerResponse, last: Next) => void;
  const lastAnswer = createLastAnswer("/a2a/<agent> and /mcp", emit, writeRefusal);
  return (request, response) => serve(request, response, lastAnswer(response));
}

/** Each error has the form of the protocol of its path. */
const writeRefusal: WriteRefusal = (refused, exchange) =>
  (/^\/a2a(?![^/?])/.test(exchange.request.url ?? "") ? writeA2aRefusal : writeRpcRefusal)(refused, exchange);

/**
 * Refuses a request to another host or of another site's page, so that a page can't reach the listener by DNS rebinding.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
function createGuard(ownHost: string | undefined) {
  const isOurs = (url: string): boolean => {
    const host = URL.parse(url)?.hostname;
    return host !== undefined && (host === ownHost || isLoopback(host));
  };
  return (_who: undefined, { request: { headers } }: Exchange): Refusal | undefined => {
    if (!isOurs(`http://${headers.host ?? ""}`)) return refuse("host_not_allowed");
    const { origin } = headers;
    return origin === undefined || isOurs(origin) ? undefined : refuse("origin_not_allowed");
  };
}

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

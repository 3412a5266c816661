import { createRunPage } from "@crosszone/console";
import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import { ZoneError } from "@crosszone/contracts";
import { answerJson, createOperationalRoutes, requestIdOf, type Health, type Metrics } from "@crosszone/service-kit";
import express, { type RequestHandler } from "express";
import { agentCardPath } from "../methods/describe-zone.ts";
import { fileLinksPath } from "../files/file-links.ts";
import { createFileRoute, type FileRouteDeps } from "./file-route.ts";
import { homePage } from "./home-page.ts";
import type { PingAnswer } from "./ping.ts";
import { refusalText } from "./refuse.ts";
import { createRpcRoute, type RpcRouteDeps } from "./rpc-route.ts";

export interface HttpAppDeps {
  /** Serves JSON-RPC. When absent, this process answers none. */
  rpc?: RpcRouteDeps;
  /** Serves the agent card. When absent, the zone has none. */
  card?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves `/api/v1`. When present, the runs page, which uses it, is served at `/runs`. */
  api?: RequestHandler | undefined;
  /** Serves files to agents by their links. When absent, no link is served. */
  files?: FileRouteDeps | undefined;
  health: Health;
  metrics: Metrics;
  /** Path of JSON-RPC; `/rpc` when absent. */
  rpcPath?: string;
  /** Answers `/ping`, which is served only when present. */
  ping?: (() => PingAnswer) | undefined;
  /** Whether to serve `/readiness` too. */
  readiness?: boolean;
  /** Receives unexpected errors of routes. */
  onUnexpected: (error: unknown, requestId: string) => void;
}

/**
 * Creates the execution zone's HTTP surface: JSON-RPC at the path of the host's profile, the paths that this host
 * requires, the API and the runs page, linked files, the agent card, `/healthz`, `/readyz` and `/metrics`. A browser
 * gets links at `/`. Every other request gets a JSON answer.
 */
export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const { rpcPath = "/rpc", ping, readiness = false, onUnexpected } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // The routes use Node's request and response. By default Express changes the prototype of both for every request.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  const rpc = deps.rpc && createRpcRoute(deps.rpc);
  // One layer for every method; `app.all` would make one for each.
  if (rpc) app.route(rpcPath).all(rpc);
  if (deps.card) app.get(agentCardPath, deps.card);
  if (deps.api) app.use("/api/v1", deps.api).use("/runs", createRunPage()).get("/", homePage);
  if (deps.files) app.get(`${fileLinksPath}:token`, createFileRoute(deps.files));
  if (ping) app.get("/ping", (_request, response) => answerJson(response, 200, JSON.stringify(ping())));
  for (const [path, route] of createOperationalRoutes(deps)) {
    app.get(path, route);
    if (readiness && path === "/readyz") app.get("/readiness", route);
  }

  // Express turns Node's request and response into its own, but its types require them up front.
  const route = app as unknown as (request: IncomingMessage, response: ServerResponse, last: LastHandler) => void;
  return (request, response) => {
    const last: LastHandler = (error) => {
      const status = statusOf(error);
      if (status === 500) onUnexpected(error, requestIdOf(response));
      if (response.headersSent) response.destroy();
      else answerJson(response, status, refusalText(errorFor(status, deps.rpc && rpcPath)));
    };
    // Almost every request has this exact path. Express matches its other spellings.
    if (rpc && request.url === rpcPath) void rpc(request, response).catch(last);
    // With this last handler Express never sends its own 404 or error page.
    else route(request, response, last);
  };
}

function errorFor(status: number, rpcPath: string | undefined): ZoneError {
  if (status === 500) return new ZoneError("internal");
  const message =
    rpcPath === undefined
      ? "this process doesn't serve JSON-RPC: EXECUTION_ROLES does not include rpc"
      : `JSON-RPC is served at POST ${rpcPath}`;
  return new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
}

type LastHandler = (error?: unknown) => void;

/** 404 when no route matched, Express's own 4xx (a malformed URL), otherwise 500. */
function statusOf(error: unknown): number {
  if (error === undefined || error === null) return 404;
  const status = (error as { status?: unknown }).status;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import { ZoneError } from "@crosszone/contracts";
import { answerJson, createOperationalRoutes, requestIdOf, type Health, type Metrics } from "@crosszone/service-kit";
import express, { type RequestHandler } from "express";
import { createRunPage } from "../run-page/create-run-page.ts";
import { agentCardPath } from "../card/describe-zone.ts";
import { fileLinksPath } from "../files/links/file-links.ts";
import { createFileRoute, type FileRouteDeps } from "./file-route.ts";
import { homePage } from "./home-page.ts";
import type { PingAnswer } from "./ping.ts";
import { refusalText } from "./refusal-text.ts";
import { createRpcRoute, type RpcRouteDeps } from "./rpc-route.ts";

export interface HttpAppDeps {
  /** Serves JSON-RPC; without it this process answers none. */
  rpc?: RpcRouteDeps;
  /** Serves the agent card; without it there is none. */
  card?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Served at `/api/v1`, where there is something to serve there; the page of runs, which asks it, at `/runs`. */
  api?: RequestHandler | undefined;
  /** Serves files to agents by their links. When absent, no link is served. */
  files?: FileRouteDeps | undefined;
  health: Health;
  metrics: Metrics;
  /** Where JSON-RPC is served; `/rpc` when absent. */
  rpcPath?: string;
  /** Answers `/ping`, which is served when this is there. */
  ping?: (() => PingAnswer) | undefined;
  /** Whether `/readiness` is served too. */
  readiness?: boolean;
  /** Told of what no route expected. */
  onUnexpected: (error: unknown, requestId: string) => void;
}

/**
 * The execution zone's HTTP surface: JSON-RPC at the path of the host's profile, what that host asks beside it, the API and its page of runs,
 * linked files, the agent card, `/healthz`, `/readyz` and `/metrics`. A browser gets links at `/`. Any other request is answered in JSON.
 */
export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const { rpcPath = "/rpc", ping, readiness = false, onUnexpected } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // The routes use Node's own request and response. Left to itself, Express changes the prototype of both for every request.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  // One layer for every method; `app.all` would make one for each.
  if (deps.rpc) app.route(rpcPath).all(createRpcRoute(deps.rpc));
  if (deps.card) app.get(agentCardPath, deps.card);
  if (deps.api) app.use("/api/v1", deps.api).use("/runs", createRunPage()).get("/", homePage);
  if (deps.files) app.get(`${fileLinksPath}:token`, createFileRoute(deps.files));
  if (ping) app.get("/ping", (_request, response) => answerJson(response, 200, JSON.stringify(ping())));
  for (const [path, route] of createOperationalRoutes(deps)) {
    app.get(path, route);
    if (readiness && path === "/readyz") app.get("/readiness", route);
  }

  // Express makes its own Request and Response of Node's; its types ask for them ready-made.
  const route = app as unknown as (request: IncomingMessage, response: ServerResponse, last: LastHandler) => void;
  return (request, response) => {
    // With a last handler of ours, neither Express's 404 page nor its error page is ever sent.
    route(request, response, (error) => {
      const status = statusOf(error);
      if (status === 500) onUnexpected(error, requestIdOf(response));
      if (response.headersSent) response.destroy();
      else answerJson(response, status, refusalText(errorFor(status, deps.rpc && rpcPath)));
    });
  };
}

function errorFor(status: number, rpcPath: string | undefined): ZoneError {
  if (status === 500) return new ZoneError("internal");
  const message =
    rpcPath === undefined
      ? "this process answers no JSON-RPC: EXECUTION_ROLES does not name rpc"
      : `JSON-RPC is served at POST ${rpcPath}`;
  return new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
}

type LastHandler = (error?: unknown) => void;

/** 404 where no route matched, Express's own 4xx (a malformed URL), otherwise 500. */
function statusOf(error: unknown): number {
  if (error === undefined || error === null) return 404;
  const status = (error as { status?: unknown }).status;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

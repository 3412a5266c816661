import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { createRunPage } from "@crosszone/console";
import {
  answer,
  answerJson,
  createOperationalRoutes,
  type Emit,
  type Health,
  type Metrics,
} from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import express, { type Express, type RequestHandler } from "express";
import { fileLinksPath } from "../files/file-links.ts";
import { agentCardPath } from "./card-route.ts";
import { createFileRoute, type FileRouteDeps } from "./file-route.ts";
import type { PingAnswer } from "./host-profile.ts";
import { createRpcRoute, type RpcRouteDeps } from "./rpc-route.ts";
import { createLastAnswer, type Next, serveRoute } from "./serve-route.ts";

export interface HttpAppDeps {
  /** Serves JSON-RPC. When absent, this process answers none. */
  rpc?: RpcRouteDeps;
  /** Serves the agent card. When absent, the zone has none. */
  card?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves `/api/v1`. When present, the runs page, which uses it, is served at `/runs`. */
  api?: RequestHandler;
  /** Serves files to agents by their links. When absent, no link is served. */
  files?: FileRouteDeps;
  health: Health;
  metrics: Metrics;
  /** Path of JSON-RPC; `/rpc` when absent. */
  rpcPath?: string;
  /** Answers `/ping`, which is served only when present. */
  ping?: () => PingAnswer;
  /** Whether to serve `/readiness` too. */
  readiness?: boolean;
  emit: Emit<ExecutionEvent>;
}

/**
 * Creates the execution zone's HTTP surface: JSON-RPC at the path of the host's profile, the paths that this host
 * requires, the API and the runs page, linked files, the agent card, `/healthz`, `/readyz` and `/metrics`. A browser
 * gets links at `/`. Every other request gets a JSON answer.
 */
export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const { rpcPath = "/rpc", emit } = deps;
  const rpc = deps.rpc && serveRoute(createRpcRoute(deps.rpc), emit);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // The routes use Node's request and response. By default Express changes the prototype of both for every request.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  // One layer for every method; `app.all` would make one for each.
  if (rpc) app.route(rpcPath).all(rpc);
  addRoutes(app, deps);

  // Express turns Node's request and response into its own, but its types require them up front.
  const route = app as unknown as (request: IncomingMessage, response: ServerResponse, last: Next) => void;
  const lastAnswer = createLastAnswer(rpc && rpcPath, emit);
  return (request, response) => {
    const last = lastAnswer(response);
    // Almost every request has this exact path. Express matches its other spellings.
    if (rpc && request.url === rpcPath) void rpc(request, response, last);
    // With this last handler Express never sends its own 404 or error page.
    else route(request, response, last);
  };
}

function addRoutes(app: Express, deps: HttpAppDeps): void {
  const { card, api, files, ping, readiness = false, emit } = deps;
  if (card) app.get(agentCardPath, card);
  if (api) app.use("/api/v1", api).use("/runs", createRunPage()).get("/", homePage);
  if (files) app.get(`${fileLinksPath}:token`, serveRoute(createFileRoute(files), emit));
  if (ping) app.get("/ping", (_request, response) => answerJson(response, 200, JSON.stringify(ping())));
  for (const [path, route] of createOperationalRoutes(deps)) {
    app.get(path, route);
    if (readiness && path === "/readyz") app.get("/readiness", route);
  }
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crosszone execution zone</title>
</head>
<body>
<main>
<h1>Crosszone execution zone</h1>
<ul>
<li><a href="/runs">Workflow runs</a></li>
<li><a href="/readyz">Readiness</a></li>
<li><a href="/metrics">Metrics</a></li>
</ul>
<p>The API is below <code>/api/v1</code> and needs a token. To connect an agent, see <code>docs/agents.md</code>.</p>
</main>
</body>
</html>
`;

/** Answers a browser that opens the zone's address with links. Passes other clients on, to the 404 answer. */
function homePage(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const types = request.headers.accept?.split(",").map((type) => type.split(";", 1)[0]?.trim()) ?? [];
  if (!types.includes("text/html")) next();
  else answer(response, 200, { contentType: "text/html; charset=utf-8", body: page });
}

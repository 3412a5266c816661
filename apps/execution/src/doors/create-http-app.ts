import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { createConsole, homePage, redirectRuns } from "@crosszone/console";
import {
  answerHeaders,
  answerJson,
  createOperationalRoutes,
  createShares,
  type Emit,
  type Health,
  type Metrics,
  surface,
  type TokenBuckets,
} from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import express, { type RequestHandler } from "express";
import { UnreadableFileError } from "../tasks/task-files.ts";
import { type FileLinks, fileLinksPath, type LinkedFile, type OpenLinkedFile } from "../tasks/file-links.ts";
import type { PingAnswer } from "./host-profile.ts";
import { agentCardPath } from "./rpc/describe-zone.ts";
import { createRpcRoute, type RpcRouteDeps } from "./rpc/rpc-route.ts";
import { createLastAnswer, createReportRefused, type Next, writeRpcRefusal } from "./serve-route.ts";

export interface LinkedFileRouteDeps {
  readonly open: OpenLinkedFile;
  /** Uses up the link. */
  readonly markFetched: FileLinks["markFetched"];
  /** Rate limit per address. When absent, requests are not limited. */
  readonly addressLimit?: TokenBuckets;
}

/** The most files in memory at the same time. */
const mostAtOnce = 20;

/**
 * Serves `GET /files/<token>`: the bytes of a file of the question, for the agent that got the link. The token is the only credential. The
 * first complete download uses up the link; for one minute after it, a retry gets the file again. A link that is unknown, used up or
 * expired, or whose task has ended, is not found.
 */
function createLinkedFileRoute({ open, markFetched, addressLimit }: LinkedFileRouteDeps, emit: Emit<ExecutionEvent>) {
  return surface<string>({
    strangers: { take: ({ from }) => addressLimit?.take(from.address) ?? 0 },
    auth: ({ request }) => ({ who: tokenOf(request) }),
    shares: { of: createShares({ all: mostAtOnce }), owner: (_token, { from }) => from.address },
    serve: async ({ request, response, signal }, { who: token, next }) => {
      const file = request.method === "GET" ? await open(token, signal) : undefined;
      if (file === undefined) next();
      else if (await send(response, file)) await markFetched(token);
    },
    write: writeRpcRefusal,
    onRefused: createReportRefused(emit),
  });
}

function tokenOf({ url = "" }: IncomingMessage): string {
  const [path = ""] = url.split("?", 1);
  return path.slice(fileLinksPath.length);
}

/** Sends the file. Returns whether all of it was sent. */
async function send(response: ServerResponse, { mediaType, read }: LinkedFile): Promise<boolean> {
  const bytes = await read().catch((error: unknown) => {
    const message = error instanceof UnreadableFileError ? error.message : "The file can't be read right now.";
    answerJson(response, 502, JSON.stringify({ error: { message } }));
  });
  if (bytes === undefined) return false;
  const headers = ["content-type", mediaType, "content-disposition", "attachment"];
  response.writeHead(200, [...answerHeaders(response), ...headers, "content-length", String(bytes.byteLength)]);
  response.end(bytes);
  return finished(response).then(
    () => true,
    () => false,
  );
}

/** Access to the pages. Written out, because Express's own types can't be inferred. */
export interface PageAccess {
  /** Lets requests for pages pass only while the API is on. */
  readonly whenOn: RequestHandler;
  /** Serves `/auth`. Undefined when people can't sign in. */
  readonly signIn?: RequestHandler | undefined;
}

export interface HttpAppDeps {
  /** Serves JSON-RPC. When absent, this process answers none. */
  rpc?: RpcRouteDeps;
  /** Serves the agent card. When absent, the zone has none. */
  card?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves `/api/v1`. When present, the console, which uses it, is served at `/console`. */
  api?: RequestHandler;
  pages?: PageAccess | undefined;
  /** Serves files to agents by their links. When absent, no link is served. */
  files?: LinkedFileRouteDeps;
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
 * requires, the API and the console, linked files, the agent card, `/healthz`, `/readyz` and `/metrics`. `/` says where
 * these are. Every other request gets a JSON answer.
 */
export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const { rpcPath = "/rpc", card, api, pages, files, ping, readiness = false, emit } = deps;
  const rpc = deps.rpc && createRpcRoute(deps.rpc, emit);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // The routes use Node's request and response. By default Express changes the prototype of both for every request.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  // One layer for every method; `app.all` would make one for each.
  if (rpc) app.route(rpcPath).all(rpc);
  if (card) app.get(agentCardPath, card);
  if (pages) app.use("/console", pages.whenOn);
  if (pages?.signIn) app.use("/auth", pages.signIn);
  if (api)
    app
      .use("/api/v1", api)
      .use("/console", createConsole(pages?.signIn && "/auth/login"))
      .get(/^\/$/, homePage);
  // The pages of runs had these addresses.
  if (api) app.get(["/runs", "/runs/:run_id"], redirectRuns);
  if (files) app.get(`${fileLinksPath}:token`, createLinkedFileRoute(files, emit));
  if (ping) app.get("/ping", (_request, response) => answerJson(response, 200, JSON.stringify(ping())));
  for (const [path, route] of createOperationalRoutes(deps)) {
    app.get(path, route);
    if (readiness && path === "/readyz") app.get("/readiness", route);
  }
  // Express turns Node's request and response into its own, but its types require them up front.
  const route = app as unknown as (request: IncomingMessage, response: ServerResponse, last: Next) => void;
  const lastAnswer = createLastAnswer(rpc && rpcPath, emit);
  return (request, response) => {
    const last = lastAnswer(response);
    // Almost every request has this exact path. Express matches its other spellings.
    if (rpc && request.url === rpcPath) void rpc(request, response);
    // With this last handler Express never sends its own 404 or error page.
    else route(request, response, last);
  };
}

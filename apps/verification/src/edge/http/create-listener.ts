import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  answer,
  answerJson,
  createOperationalRoutes,
  requestIdOf,
  type Health,
  type Metrics,
} from "@crosszone/service-kit";
import { filesPath } from "../files/file-route.ts";

type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface PathRoute {
  readonly path: string;
  readonly route: Route;
}

export interface ListenerDeps {
  readonly health: Health;
  readonly metrics: Metrics;
  /** Path and route of Slack's events; undefined with Socket Mode. */
  readonly slack?: PathRoute;
  /** The install page, and the redirect from Slack; undefined if the app is installed manually. */
  readonly install?: PathRoute;
  readonly redirect?: PathRoute;
  /** Route of the files that execution reads. */
  readonly files: Route;
  /** Called for an error that no route handled. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

/**
 * Makes the verification zone's HTTP listener: Slack's events, install pages, `/files/<id>`, `/healthz`, `/readyz`, `/metrics`. Other paths
 * get 404 as JSON.
 */
export function createListener(deps: ListenerDeps): RequestListener {
  const { health, metrics, slack, install, redirect, files, onUnexpected } = deps;
  const operational = createOperationalRoutes({ health, metrics });
  const routeOf = (method: string | undefined, path: string): Route | undefined => {
    if (path === slack?.path) return slack.route;
    if (path.startsWith(filesPath)) return files;
    if (path === install?.path) return method === "GET" || method === "HEAD" ? install.route : onlyFor("GET, HEAD");
    // Only GET: a HEAD request would use up the code.
    if (path === redirect?.path) return method === "GET" ? redirect.route : onlyFor("GET");
    return method === "GET" ? operational.get(path) : undefined;
  };

  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const route = routeOf(request.method, path);
    if (route === undefined) return answer(response, 404, nothingHere);
    Promise.try(route, request, response).catch((error: unknown) => {
      onUnexpected(error, requestIdOf(response));
      if (response.headersSent) response.destroy();
      else answerJson(response, 500, JSON.stringify({ error: { message: "An internal error occurred." } }));
    });
  };
}

function onlyFor(allow: string): Route {
  const body = JSON.stringify({ error: { message: "This method is not allowed for this path." } });
  const headers = ["allow", allow, "connection", "close"];
  return async (_request, response) => answer(response, 405, { contentType: "application/json", body, headers });
}

/** The request's body is unread, and a kept connection would parse it as the next request. */
const nothingHere = {
  contentType: "application/json",
  body: JSON.stringify({ error: { message: "Not found." } }),
  headers: ["connection", "close"],
};

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
  /** Path and route of Slack's events; absent with Socket Mode. */
  readonly slack?: PathRoute;
  /** Where people install the app, and where Slack sends them back to; absent where it is installed by hand. */
  readonly install?: PathRoute;
  readonly redirect?: PathRoute;
  /** Route of the files that the execution zone reads. */
  readonly files: Route;
  /** Told of what no route expected. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

/** The verification zone's HTTP surface: Slack's events, the pages of an install, `/files/<id>`, `/healthz`, `/readyz`, `/metrics`; everything else is 404 in JSON. */
export function createListener(deps: ListenerDeps): RequestListener {
  const { health, metrics, slack, install, redirect, files, onUnexpected } = deps;
  const operational = createOperationalRoutes({ health, metrics });
  const routeOf = (method: string | undefined, path: string): Route | undefined => {
    if (path === slack?.path) return slack.route;
    if (path.startsWith(filesPath)) return files;
    if (path === install?.path) return method === "GET" || method === "HEAD" ? install.route : onlyFor("GET, HEAD");
    // Whoever only looks would spend the code.
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
      else answerJson(response, 500, JSON.stringify({ error: { message: "Something went wrong here." } }));
    });
  };
}

function onlyFor(allow: string): Route {
  const body = JSON.stringify({ error: { message: "This is no method of this address." } });
  const headers = ["allow", allow, "connection", "close"];
  return async (_request, response) => answer(response, 405, { contentType: "application/json", body, headers });
}

/** The body of the request was not read: a kept connection would take it for the next one. */
const nothingHere = {
  contentType: "application/json",
  body: JSON.stringify({ error: { message: "There is nothing here." } }),
  headers: ["connection", "close"],
};

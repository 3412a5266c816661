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

export interface ListenerDeps {
  readonly health: Health;
  readonly metrics: Metrics;
  /** Path and route of Slack's events; absent with Socket Mode. */
  readonly slack?: { readonly path: string; readonly route: Route };
  /** Route of the files that the execution zone reads. */
  readonly files: Route;
  /** Told of what no route expected. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

/** The verification zone's HTTP surface: Slack's events, `/files/<id>`, `/healthz`, `/readyz`, `/metrics`; everything else is 404 in JSON. */
export function createListener({ health, metrics, slack, files, onUnexpected }: ListenerDeps): RequestListener {
  const operational = createOperationalRoutes({ health, metrics });
  const routeOf = (method: string | undefined, path: string): Route | undefined => {
    if (path === slack?.path) return slack.route;
    if (path.startsWith(filesPath)) return files;
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

/** The body of the request was not read: a kept connection would take it for the next one. */
const nothingHere = {
  contentType: "application/json",
  body: JSON.stringify({ error: { message: "There is nothing here." } }),
  headers: ["connection", "close"],
};

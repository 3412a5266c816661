import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Health, Metrics } from "@crosszone/service-kit";
import { filesPath } from "../files/file-route.ts";
import { answer, answerJson } from "./answer.ts";

type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface ListenerDeps {
  readonly health: Health;
  readonly metrics: Metrics;
  /** Path and route of Slack's events; absent with Socket Mode. */
  readonly slack?: { readonly path: string; readonly route: Route };
  /** Route of the files that the execution zone reads. */
  readonly files: Route;
  /** Told of what no route expected. */
  readonly onUnexpected: (error: unknown) => void;
}

/** The verification zone's HTTP surface: Slack's events, `/files/<id>`, `/healthz`, `/readyz`, `/metrics`; everything else is 404 in JSON. */
export function createListener({ health, metrics, slack, files, onUnexpected }: ListenerDeps): RequestListener {
  const routes = new Map<string, Route>([
    ["GET /healthz", (_request, response) => answerJson(response, 200, health.live())],
    [
      "GET /readyz",
      async (_request, response) => {
        const state = await health.ready();
        answerJson(response, state.ready ? 200 : 503, state);
      },
    ],
    ["GET /metrics", async (_request, response) => answer(response, 200, await metrics.render())],
  ]);

  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const route =
      path === slack?.path ? slack.route : path.startsWith(filesPath) ? files : routes.get(`${request.method} ${path}`);
    if (route === undefined) {
      response.setHeader("connection", "close");
      return answerJson(response, 404, { error: { message: "There is nothing here." } });
    }
    Promise.try(route, request, response).catch((error: unknown) => {
      onUnexpected(error);
      if (response.headersSent) response.destroy();
      else answerJson(response, 500, { error: { message: "Something went wrong here." } });
    });
  };
}

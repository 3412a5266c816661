import express, { type Express, type Response, Router } from "express";
import { responseUrlRoutes } from "../commands/response-url-routes.ts";
import type { ResponseUrlStore } from "../commands/command-replies.ts";
import { controlRoutes } from "../control/control-routes.ts";
import type { Control } from "../control/control.ts";
import { ControlError } from "../protocol/control-api.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WebApiParts } from "../web-api/answer-call.ts";
import type { FileFaults } from "../web-api/file-faults.ts";
import { fileRoutes } from "../web-api/file-routes.ts";
import type { FaultQueue } from "../web-api/faults.ts";
import { webApiRoutes } from "../web-api/web-api-routes.ts";
import { localOnly } from "./local-only.ts";
import { pageRoutes } from "./page-routes.ts";
import { type TapOptions, tapRoutes } from "./tap-routes.ts";

/**
 * Answers requests that no route has answered, as `{ error: { message } }`: 404 for an unknown path, the status of a `ControlError`, the
 * parser's 4xx for an unreadable body. Anything else is 500 and is logged to the error output, because it is a bug in the local Slack.
 */
export function answerRest(response: Response, error: unknown): void {
  const status = error === undefined ? 404 : statusOf(error);
  if (status >= 500) console.error("The local Slack failed:", error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.status(status).json({ error: { message: messageOf(status, error) } });
}

function statusOf(error: unknown): number {
  if (error instanceof ControlError) return error.status;
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

function messageOf(status: number, error: unknown): string {
  if (error === undefined) return "not found";
  return status < 500 && error instanceof Error ? error.message : "the local Slack failed; see its output";
}

/** The parts that the server serves. */
export interface HttpAppParts {
  webApi: WebApiParts;
  responseUrls: ResponseUrlStore;
  faults: FaultQueue;
  fileFaults: FileFaults;
  traffic: TrafficLog;
  control: Control;
  tap: Pick<TapOptions, "upstream" | "dispatcher">;
}

/** Returns all routes of the local Slack, restricted to this machine. */
export function createHttpApp({
  webApi,
  responseUrls,
  faults,
  fileFaults,
  traffic,
  control,
  tap,
}: HttpAppParts): Express {
  const routes = Router();
  routes.use(localOnly);
  routes.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  routes.use(webApiRoutes({ ...webApi, faults, traffic }));
  routes.use(fileRoutes({ ...webApi, fileFaults, traffic }));
  routes.use(responseUrlRoutes({ ...webApi, responseUrls, faults, traffic }));
  routes.use("/control", controlRoutes(control));
  routes.use(tapRoutes({ ...tap, traffic }));
  routes.use(pageRoutes(webApi.state));

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use((request, response) => routes(request, response, (error?: unknown) => answerRest(response, error)));
  return app;
}

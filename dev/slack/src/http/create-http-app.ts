import express, { Router } from "express";
import type { Express } from "express";
import { responseUrlRoutes } from "../commands/response-url-routes.ts";
import type { ResponseUrlStore } from "../commands/response-urls.ts";
import type { Control } from "../control/control.ts";
import { controlRoutes } from "../control/control-routes.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WebApiParts } from "../web-api/answer-call.ts";
import type { FaultQueue } from "../web-api/fault-queue.ts";
import type { FileFaults } from "../web-api/file-faults.ts";
import { fileRoutes } from "../web-api/file-routes.ts";
import { webApiRoutes } from "../web-api/web-api-routes.ts";
import { answerRest } from "./answer-rest.ts";
import { localOnly } from "./local-only.ts";
import { pageRoutes } from "./page-routes.ts";
import { tapRoutes } from "./tap-routes.ts";
import type { TapOptions } from "./tap-routes.ts";

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

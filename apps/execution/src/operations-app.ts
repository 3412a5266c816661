import type { ExecutionApp } from "./app.ts";
import type { ExecutionDeps } from "./deps.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { observeHttp } from "./observe-http.ts";
import { createRetention } from "./retention.ts";

/** Creates the app of a process without JSON-RPC. It serves health, metrics and the admin API, and purges old data. */
export function createOperationsApp({
  logger,
  metrics,
  health,
  api,
  purges = [],
}: Pick<ExecutionDeps, "logger" | "metrics" | "health" | "api" | "purges">): Omit<ExecutionApp, "dispatch"> {
  const { httpBroken, httpFailed } = observeHttp({ logger, metrics });
  const retention = createRetention({ logger, metrics, purges });
  return {
    listener: createHttpApp({ health, metrics, api, onUnexpected: httpFailed }),
    badRequest: httpBroken,
    start: retention.start,
    stop: retention.stop,
  };
}
